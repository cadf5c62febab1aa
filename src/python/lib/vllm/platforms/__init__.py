"""vllm.platforms: `current_platform`, defined by the environment."""

import enum
from typing import NamedTuple

import torch
from _fusescope import environment, stubs


class DeviceCapability(NamedTuple):
    major: int
    minor: int

    def as_version_str(self):
        return f"{self.major}.{self.minor}"

    def to_int(self):
        return self.major * 10 + self.minor


class PlatformEnum(enum.Enum):
    CUDA = enum.auto()
    ROCM = enum.auto()
    TPU = enum.auto()
    XPU = enum.auto()
    CPU = enum.auto()
    OOT = enum.auto()
    UNSPECIFIED = enum.auto()


class CpuArchEnum(enum.Enum):
    X86 = enum.auto()
    ARM = enum.auto()
    POWERPC = enum.auto()
    S390X = enum.auto()
    RISCV = enum.auto()
    OTHER = enum.auto()
    UNKNOWN = enum.auto()


class _Vendor(NamedTuple):
    platform: PlatformEnum
    device: str
    name: str
    dispatch_key: str


_VENDORS = {
    "cuda": _Vendor(PlatformEnum.CUDA, "cuda", "cuda", "CUDA"),
    "rocm": _Vendor(PlatformEnum.ROCM, "cuda", "rocm", "CUDA"),
    "cpu": _Vendor(PlatformEnum.CPU, "cpu", "cpu", "CPU"),
    "ascend": _Vendor(PlatformEnum.OOT, "npu", "npu", "PrivateUse1"),
    "xpu": _Vendor(PlatformEnum.XPU, "xpu", "xpu", "XPU"),
}


def _ask(question, value):
    return environment.answer(f"current_platform.{question}", value)


class Platform:
    """The simulated platform. Records every query; the Environment section shows the queries that decided the registrations."""

    supported_dtypes = [torch.bfloat16, torch.float16, torch.float32]
    simple_compile_backend = "inductor"

    @property
    def _enum(self):
        return _VENDORS[environment.vendor()].platform

    @property
    def device_type(self):
        return _VENDORS[environment.vendor()].device

    @property
    def device_name(self):
        return _VENDORS[environment.vendor()].name

    @property
    def dispatch_key(self):
        return _VENDORS[environment.vendor()].dispatch_key

    def is_cuda(self):
        return _ask("is_cuda()", environment.vendor() == "cuda")

    def is_rocm(self):
        return _ask("is_rocm()", environment.vendor() == "rocm")

    def is_cpu(self):
        return _ask("is_cpu()", environment.vendor() == "cpu")

    def is_out_of_tree(self):
        return _ask("is_out_of_tree()", environment.vendor() == "ascend")

    def is_tpu(self):
        return _ask("is_tpu()", False)

    def is_xpu(self):
        return _ask("is_xpu()", environment.vendor() == "xpu")

    def is_hpu(self):
        return _ask("is_hpu()", False)

    def is_neuron(self):
        return _ask("is_neuron()", False)

    def is_unspecified(self):
        return _ask("is_unspecified()", False)

    def is_cuda_alike(self):
        return _ask("is_cuda_alike()", environment.vendor() in ("cuda", "rocm"))

    def get_device_capability(self, device_id=0):
        found = environment.capability()
        return _ask("get_device_capability()", found and DeviceCapability(*found))

    def has_device_capability(self, capability, device_id=0):
        found = environment.capability()
        return _ask(f"has_device_capability({capability!r})", found is not None and _int(found) >= _int(capability))

    def is_device_capability(self, capability, device_id=0):
        found = environment.capability()
        return _ask(f"is_device_capability({capability!r})", found is not None and _int(found) == _int(capability))

    def is_device_capability_family(self, capability, device_id=0):
        found = environment.capability()
        return _ask(
            f"is_device_capability_family({capability!r})",
            found is not None and _int(found) // 10 == _int(capability) // 10,
        )

    def supports_fp8(self):
        vendor, found = environment.vendor(), environment.capability()
        return _ask("supports_fp8()", vendor in ("rocm", "xpu") or (vendor == "cuda" and _int(found) >= 89))

    def is_fp8_fnuz(self):
        """True on ROCm: `rocm` means gfx94x here, the only ROCm devices with the fnuz forms."""
        return _ask("is_fp8_fnuz()", environment.vendor() == "rocm")

    def fp8_dtype(self):
        fnuz = environment.vendor() == "rocm"
        return _ask("fp8_dtype()", torch.float8_e4m3fnuz if fnuz else torch.float8_e4m3fn)

    def get_device_name(self, device_id=0):
        return _ask("get_device_name()", environment.platform())

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return stubs.missing("vllm.platforms", f"current_platform.{name}")


def _int(capability):
    """Accepts (9, 0) and 90."""
    return capability[0] * 10 + capability[1] if isinstance(capability, tuple) else capability


current_platform = Platform()
