"""An H100 that computes nothing, for the tests of vLLM: devices are cuda, tensors are fake, packages that are missing are mocks.

The operators are declared from the schemas in the checkout's csrc. Python's own parts of vLLM run unmodified.
"""

import importlib.abc
import importlib.machinery
import pathlib
import re
import sys
from unittest import mock

import torch

# Packages that code looks for to find out what the machine has.
ABSENT = {"triton", "triton_kernels", "flashinfer", "aiter", "deep_gemm", "flash_attn", "numba", "helion", "cutlass"}
ABSENT_MODULES = {"vllm._rocm_C", "vllm._version"}
# Parts that no pass uses, and that need much that is not installed.
UNUSED = re.compile(r"vllm\.(entrypoints|tool_parsers|reasoning|tokenizers\.mistral|vllm_flash_attn)\b")
SCHEMAS = ("csrc/torch_bindings.cpp", "csrc/libtorch_stable/torch_bindings.cpp", "csrc/moe/torch_bindings.cpp")
STRINGS = r'"(?:[^"\\]|\\.)*"'

_libraries = []  # operators live as long as their Library objects


class _Mock(mock.MagicMock):
    """A module of which everything exists; its classes may be bases."""

    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self.__path__, self.__spec__, self.__file__, self.__version__ = [], None, "", "1.0"

    def _get_child_mock(self, **kwargs):
        return mock.MagicMock(**kwargs)


class _Missing(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """The last finder: a module that a file of vLLM imports and that is not there."""

    def find_spec(self, name, path=None, target=None):
        top = name.partition(".")[0]
        own = top in ("torch", "tests") or (top == "vllm" and not name.startswith("vllm._"))
        if own or top in ABSENT or name in ABSENT_MODULES or top in sys.stdlib_module_names:
            return None
        frame = sys._getframe(1)
        while frame and "importlib" in frame.f_code.co_filename:
            frame = frame.f_back
        if not frame or "/vllm/" not in frame.f_code.co_filename:
            return None
        return importlib.machinery.ModuleSpec(name, self, is_package=True)

    def create_module(self, spec):
        module = _Mock(name=spec.name)
        module.__name__ = spec.name
        return module

    def exec_module(self, module):
        pass


class _Unused(_Missing):
    def find_spec(self, name, path=None, target=None):
        return importlib.machinery.ModuleSpec(name, self, is_package=True) if UNUSED.match(name) else None


def _declare(root):
    for file in SCHEMAS:
        source = re.sub(r"//.*", "", (root / file).read_text())
        for part in re.split(r"(?=\n(?:STABLE_)?TORCH_LIBRARY\w*\()", source):
            head = re.match(r"\n(?:STABLE_)?TORCH_LIBRARY(_\w+)?\(([^{]*)\)\s*\{", part)
            if not head or "IMPL" in (head[1] or ""):
                continue
            suffix = re.search(r"CONCAT\(TORCH_EXTENSION_NAME, (\w+)\)", head[2])
            library = torch.library.Library(("_moe_C" if "/moe/" in file else "_C") + (suffix[1] if suffix else ""), "FRAGMENT")
            _libraries.append(library)
            for strings in re.findall(rf"\bdef\(\s*((?:{STRINGS}\s*)+)", part):
                _define(library, "".join(s[1:-1] for s in re.findall(STRINGS, strings)))


def _define(library, schema):
    try:
        library.define(schema)
    except RuntimeError:  # the same schema under another preprocessor branch
        return
    name = schema.partition("(")[0].strip()
    if schema.rstrip().endswith(("-> bool", "-> int")):
        answer = "fp4" not in schema  # what this GPU supports
        library.impl(name, lambda *_: answer, "CompositeExplicitAutograd")
    elif schema.rstrip().endswith("-> ()"):
        torch.library.register_fake(f"{library.ns}::{name}", lambda *_, **__: None, lib=library)


def _getitem(self, key):
    """Tensor.__getitem__ without the device guard, which needs a driver."""
    if self.device.type != "cuda":
        return _inner_getitem(self, key)
    keys = list(key) if isinstance(key, tuple) else [key]
    at = next((i for i, k in enumerate(keys) if k is Ellipsis), None)
    if at is not None:
        keys[at : at + 1] = [slice(None)] * (self.dim() - len([k for k in keys if k is not None]) + 1)
    out, dim, aten = self, 0, torch.ops.aten
    tensors = []
    for k in keys:
        if k is None:
            out = aten.unsqueeze.default(out, dim)
        elif isinstance(k, slice):
            if k != slice(None):
                out = aten.slice.Tensor(out, dim, k.start or 0, sys.maxsize if k.stop is None else k.stop, k.step or 1)
        elif isinstance(k, torch.Tensor):
            tensors += [None] * (dim - len(tensors)) + [k]
        else:
            out = aten.select.int(out, dim, k)
            continue
        dim += 1
    return aten.index.Tensor(out, tensors) if tensors else out


_inner_getitem = torch.Tensor.__getitem__


def _be_a_gpu():
    torch.Tensor.__getitem__ = _getitem
    cuda = torch.cuda
    properties = mock.MagicMock(total_memory=80 << 30, multi_processor_count=132, major=9, minor=0)
    # One function each: dynamo has a rule for each of them.
    cuda.is_available = lambda: True
    cuda.device_count = lambda: 1
    cuda.current_device = lambda: 0
    cuda.get_device_capability = lambda *_: (9, 0)
    cuda.get_device_name = lambda *_: "NVIDIA H100"
    cuda.get_device_properties = lambda *_: properties
    cuda.get_rng_state = lambda *_: torch.zeros(1, dtype=torch.uint8)
    cuda.set_rng_state = lambda *_: None
    cuda._lazy_init = lambda *_: None
    cuda.set_device = lambda *_: None
    cuda.synchronize = lambda *_: None
    cuda.empty_cache = lambda *_: None
    torch._subclasses.fake_tensor.init_gpu_context = lambda *_: None
    torch.version.cuda = "12.8"


def _leave_out_inductors_own():
    """Patterns and folding of Inductor that make real tensors on the GPU."""
    from torch._inductor.fx_passes import fuse_attention, misc_patterns, pad_mm

    fuse_attention._sfdp_init = lambda *_: None
    pad_mm._pad_mm_init = lambda *_: None
    misc_patterns._misc_patterns_init = lambda *_: None
    torch._inductor.config.joint_graph_constant_folding = False


def install(root):
    """@param root: a checkout of vLLM"""
    from pydantic._internal import _generate_schema
    from pydantic_core import core_schema

    _generate_schema.GenerateSchema._unknown_type_schema = lambda *_: core_schema.any_schema()
    root = pathlib.Path(root)
    sys.path.insert(0, str(root))
    sys.meta_path.insert(0, _Unused())
    sys.meta_path.append(_Missing())
    _declare(root)
    _be_a_gpu()
    _leave_out_inductors_own()
    import vllm.platforms as platforms

    platforms.resolve_current_platform_cls_qualname = lambda: "vllm.platforms.cuda.NonNvmlCudaPlatform"
    type(platforms.current_platform).check_if_supports_dtype = classmethod(lambda *_: None)
