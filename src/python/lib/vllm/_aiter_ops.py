"""vllm._aiter_ops: AMD's aiter operators, if the platform is ROCm with aiter."""

import torch
from _fusescope import environment
from vllm.utils.torch_utils import vllm_lib


def _codes(x):
    from vllm.platforms import current_platform

    return torch.empty(x.shape, dtype=current_platform.fp8_dtype(), device=x.device)


def _scales(x, group=None):
    groups = 1 if group is None else (x.shape[-1] + group - 1) // group
    return torch.empty((*x.shape[:-1], groups), dtype=torch.float32, device=x.device)


# Fake implementations: the catalog has the schemas, these know the platform's FP8 dtype.
def rocm_aiter_rmsnorm_fp8_group_quant(x, weight, variance_epsilon, group_size):
    return _codes(x), _scales(x, group_size)


def rocm_aiter_rmsnorm_with_add_fp8_group_quant(x, residual, weight, variance_epsilon, group_size):
    return _codes(x), torch.empty_like(residual), _scales(x, group_size)


def rocm_aiter_group_fp8_quant(x, group_size, transpose_scale=False):
    return _codes(x), _scales(x, group_size)


def rocm_aiter_act_mul_and_fp8_group_quant(x, group_size):
    half = x[..., : x.shape[-1] // 2]
    return _codes(half), _scales(half, group_size)


def rocm_aiter_fused_rms_gated_fp8_group_quant(x, weight, bias, z, eps, norm_before_gate, activation, group_size):
    return _codes(x), _scales(x, group_size)


_FAKES = (
    rocm_aiter_fused_rms_gated_fp8_group_quant,
    rocm_aiter_rmsnorm_fp8_group_quant,
    rocm_aiter_rmsnorm_with_add_fp8_group_quant,
    rocm_aiter_group_fp8_quant,
    rocm_aiter_act_mul_and_fp8_group_quant,
)

# Results of rocm_aiter_ops.get_…_op(), by the middle of the method's name.
_GETTERS = {
    "rmsnorm": "rocm_aiter_rms_norm",
    "rmsnorm_fused_add": "rocm_aiter_rmsnorm2d_fwd_with_add",
    "rmsnorm_group_fused_quant": "rocm_aiter_rmsnorm_fp8_group_quant",
    "rmsnorm_group_add_fused_quant": "rocm_aiter_rmsnorm_with_add_fp8_group_quant",
    "group_quant": "rocm_aiter_group_fp8_quant",
    "act_mul_fused_fp8_group_quant": "rocm_aiter_act_mul_and_fp8_group_quant",
}


class _AiterAllReduce:
    """aiter's all-reduce of the newest version: it takes any hidden size, and quantizes by groups."""

    supports_dynamic_hidden_dim = supports_per_group_quant = True
    # Versions of aiter that take any hidden size have this attribute.
    _pool = None

    def effective_max_size(self):
        return 64 * 1024 * 1024


class _AiterOps:
    """`is_…enabled()` follows the platform, which is not RDNA; `get_…_op()` returns an operator of torch.ops.vllm."""

    def __getattr__(self, name):
        if name.startswith(("is_", "are_")):
            there = environment.platform() == "rocm-aiter" and "rdna" not in name
            return lambda *args: environment.answer(f"rocm_aiter_ops.{name}()", there)
        if name.startswith("get_") and name.endswith("_op"):
            return lambda: self._op(name[4:-3])
        raise AttributeError(name)

    def _op(self, name):
        op = _GETTERS.get(name, f"rocm_aiter_{name}")
        if not environment.answer(f"hasattr(torch.ops.vllm, {op!r})", environment.platform() == "rocm-aiter"):
            raise AttributeError(
                f"'_OpNamespace' 'vllm' object has no attribute '{op}': this platform is not ROCm with aiter"
            )
        return getattr(torch.ops.vllm, op).default

    def get_aiter_allreduce(self):
        """None unless aiter's all-reduce is on; the environment's flag turns it off."""
        there = environment.platform() == "rocm-aiter" and environment.flag("aiter_custom_allreduce", True)
        return environment.answer(
            "rocm_aiter_ops.get_aiter_allreduce()", _AiterAllReduce() if there else None, "enabled" if there else "None"
        )

    def initialize_aiter_allreduce(self, group, device):
        """Does nothing: there is no device."""

    def get_aiter_allreduce_max_size(self):
        """In bytes; None without aiter's all-reduce."""
        communicator = self.get_aiter_allreduce()
        return communicator and communicator.effective_max_size()

    def register_ops_once(self):
        """Does nothing: the operators are always registered."""


rocm_aiter_ops = _AiterOps()

if environment.platform() == "rocm-aiter":
    for _fn in _FAKES:
        vllm_lib._register_fake(_fn.__name__, _fn)
