"""An H100 that computes nothing, for the tests of vLLM: devices are cuda, tensors are fake, packages that are missing are mocks.

The operators are declared from the schemas in the checkout's csrc. Python's own parts of vLLM run unmodified.
"""

import dataclasses
import functools
import os
import pathlib
import re
import sys
from unittest import mock

import missing_packages
import torch
from torch._subclasses.fake_impls import op_implementations_dict
from torch._subclasses.fake_tensor import FakeTensor, FakeTensorMode, unset_fake_temporarily
from torch.fx.experimental.proxy_tensor import get_proxy_mode

SCHEMAS = ("", "moe/", "libtorch_stable/", "libtorch_stable/moe/")
STRINGS = r'"(?:[^"\\]|\\.)*"'

_libraries = []  # operators live as long as their Library objects


def _declare(root):
    for folder in SCHEMAS:
        file = root / "csrc" / folder / "torch_bindings.cpp"
        source = re.sub(r"//.*", "", file.read_text()) if file.exists() else ""
        for part in re.split(r"(?=\n(?:STABLE_)?TORCH_LIBRARY\w*\()", source):
            head = re.match(r"\n(?:STABLE_)?TORCH_LIBRARY(_\w+)?\(([^{]*)\)\s*\{", part)
            if not head or "IMPL" in (head[1] or ""):
                continue
            suffix = re.search(r"CONCAT\(TORCH_EXTENSION_NAME, (\w+)\)", head[2])
            library = torch.library.Library(("_moe_C" if "moe/" in folder else "_C") + (suffix[1] if suffix else ""), "FRAGMENT")
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


def _copy_(self, source, non_blocking=False):
    """Tensor.copy_ without the device guard."""
    if self.device.type != "cuda":
        return _inner_copy_(self, source, non_blocking)
    with torch._C._AutoDispatchBelowAutograd():
        return torch.ops.aten.copy_.default(self, source, non_blocking)


def _to(self, *args, **kwargs):
    """Module.to, which cannot swap fake tensors."""
    device, dtype, *_ = torch._C._nn._parse_to(*args, **kwargs)
    for module in self.modules():
        for name, old in module._parameters.items():
            if old is not None:
                made = torch.empty_like(old, device=device, dtype=dtype if old.is_floating_point() else None)
                module._parameters[name] = torch.nn.Parameter(made)
                module._parameters[name].__dict__.update(old.__dict__)
    return self


def _setitem(self, key, value):
    """Tensor.__setitem__, which changes nothing in a tensor that nobody traces."""
    if not isinstance(self, FakeTensor) or get_proxy_mode() is not None:
        _inner_setitem(self, key, value)


def _number(fake_mode, func, tensor):
    """A number of a fake tensor that nobody traces."""
    if fake_mode.shape_env is not None:
        return _inner_number(fake_mode, func, tensor)
    return 1.0 if tensor.is_floating_point() else False if tensor.dtype is torch.bool else 0


_inner_setitem = torch.Tensor.__setitem__
_inner_number = op_implementations_dict[torch.ops.aten._local_scalar_dense.default]
_inner_copy_ = torch.Tensor.copy_
_inner_getitem = torch.Tensor.__getitem__
_inner_parameter = torch.nn.Parameter.__new__


def _parameter(cls, data=None, requires_grad=True):
    """Without gradients, as a server runs: a node of autograd would ask the driver for its stream."""
    return _inner_parameter(cls, data, False)


def _be_a_gpu():
    torch.Tensor.__getitem__ = _getitem
    torch.Tensor.copy_ = _copy_
    torch.Tensor.__setitem__ = _setitem
    op_implementations_dict[torch.ops.aten._local_scalar_dense.default] = _number
    FakeTensorMode.may_turn_const = lambda *_: False  # a constant would be computed on the GPU
    torch.nn.Module.to = _to
    torch._C._set_only_lift_cpu_tensors(True)  # torch.tensor(…, device="cuda") is a fake one
    torch.nn.Parameter.__new__ = _parameter
    cuda = torch.cuda
    properties = mock.MagicMock(total_memory=80 << 30, multi_processor_count=132, major=9, minor=0)
    properties.name = "NVIDIA H100"
    # One function each: dynamo has a rule for each of them.
    cuda.is_available = lambda: True
    cuda.device_count = lambda: 2
    cuda.current_device = lambda: 0
    cuda.get_device_capability = lambda *_: (9, 0)
    cuda.get_device_name = lambda *_: "NVIDIA H100"
    cuda.get_device_properties = lambda *_: properties
    cuda.get_rng_state = lambda *_: torch.zeros(1, dtype=torch.uint8)
    cuda.set_rng_state = lambda *_: None
    cuda._lazy_init = lambda *_: None
    cuda.set_device = torch.accelerator.set_device_index = lambda *_: None
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


def _on_numbers(inner):
    """A function that computes ranks with tensors, on real ones."""

    @functools.wraps(inner)
    def call(*args, **kwargs):
        with unset_fake_temporarily(), torch.device("cpu"):
            return inner(*args, **kwargs)

    return call


def _be_two_ranks():
    """Process groups that send nothing; of the processes that a test starts, the first runs, in this one."""
    from torch.testing._internal.distributed.fake_pg import FakeStore

    c10d = torch.distributed
    start, group = c10d.init_process_group, c10d.new_group

    def init(backend=None, init_method=None, timeout=None, world_size=-1, rank=-1, **_):
        size, own = int(os.environ.get("WORLD_SIZE", 1)), int(os.environ.get("RANK", 0))
        start("fake", store=FakeStore(), world_size=size if world_size < 0 else world_size, rank=own if rank < 0 else rank)

    c10d.init_process_group = init
    c10d.new_group = lambda ranks=None, *_, **__: group(ranks, backend="fake")
    torch.multiprocessing.spawn = lambda fn, args=(), **_: fn(0, *args)
    import tests.utils
    import vllm.distributed
    from vllm.distributed import parallel_state

    for name in ("init_distributed_environment", "initialize_model_parallel"):
        for module in (vllm.distributed, parallel_state):
            setattr(module, name, _on_numbers(getattr(parallel_state, name)))
    parallel_state.in_the_same_node_as = lambda group, *_, **__: [True] * c10d.get_world_size(group)
    tests.utils.create_new_process_for_each_test = lambda *_: lambda f: f


def _inspect_no_model():
    """Each model is a plain decoder, because inspecting its class needs the whole of vLLM."""
    from vllm.model_executor.models import registry

    true = {"is_text_generation_model", "supports_pp"}
    texts = {"attn_type": "decoder", "score_type": "bi-encoder", "default_seq_pooling_type": "LAST", "default_tok_pooling_type": "ALL"}

    def inspect(self):
        fields = (f.name for f in dataclasses.fields(registry._ModelInfo))
        given = texts | {"architecture": self.class_name}
        return registry._ModelInfo(**{name: given.get(name, name in true) for name in fields})

    registry._LazyRegisteredModel.inspect_model_cls = inspect


def install(root, present=()):
    """
    @param root: a checkout of vLLM
    @param present: packages of ABSENT that this machine has
    """
    from pydantic._internal import _generate_schema
    from pydantic_core import core_schema

    _generate_schema.GenerateSchema._unknown_type_schema = lambda *_: core_schema.any_schema()
    root = pathlib.Path(root)
    missing_packages.ABSENT.difference_update(present)
    sys.path.insert(0, str(root))
    sys.meta_path.insert(0, missing_packages.Unused(root))
    sys.meta_path.append(missing_packages.Missing(root))
    _declare(root)
    _be_a_gpu()
    _leave_out_inductors_own()
    import vllm.platforms as platforms

    platforms.resolve_current_platform_cls_qualname = lambda: "vllm.platforms.cuda.NonNvmlCudaPlatform"
    _inspect_no_model()
    _be_two_ranks()
    type(platforms.current_platform).device_count = classmethod(lambda *_: 2)
    type(platforms.current_platform).check_if_supports_dtype = classmethod(lambda *_: None)
