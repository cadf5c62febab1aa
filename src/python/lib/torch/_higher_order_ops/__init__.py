import importlib
import sys
import types

from _fusescope import partial_modules as _partial
from torch._ops import ops
from .auto_functionalize import auto_functionalized, auto_functionalized_v2  # noqa: F401

_FUNCTIONS = ("associative_scan", "cond", "flex_attention", "map", "scan", "while_loop")
# The other submodules of PyTorch that define operators, with the operators' names in torch.ops.higher_order.
_OPERATORS = {
    "_invoke_quant": "invoke_quant invoke_quant_packed",
    "aoti_call_delegate": "aoti_call_delegate",
    "effects": "call_torchbind invoke_leaf_function with_effects",
    "executorch_call_delegate": "executorch_call_delegate",
    "flat_apply": "flat_apply",
    "hints_wrap": "hints_wrapper",
    "inline_asm_elementwise": "inline_asm_elementwise",
    "invoke_leaf_function": "invoke_leaf_function",
    "invoke_subgraph": "invoke_subgraph",
    "local_map": "local_map_hop",
    "out_dtype": "out_dtype",
    "print": "print",
    "run_const_graph": "run_const_graph",
    "torchbind": "call_torchbind",
    "triton_kernel_wrap": "triton_kernel_wrapper_functional triton_kernel_wrapper_mutation",
    "wrap": """dynamo_bypassing_wrapper inductor_compiled_code tag_activation_checkpoint wrap wrap_activation_checkpoint
        wrap_with_autocast wrap_with_set_grad_enabled""",
}
# Those that the package shows under the same name; it has the module `wrap`, and no name of what is internal to one.
_SHOWN = {op for names in _OPERATORS.values() for op in names.split()} - {"wrap", "triton_kernel_wrapper_functional"}
_SHOWN -= {"triton_kernel_wrapper_mutation"}
_other = _partial.of_pytorch(__name__)


def __getattr__(name):
    # Imported where they are used: the memory snapshot of Python has little room.
    if name in _FUNCTIONS:
        return getattr(importlib.import_module(f"{__name__}.{name}"), name)
    return getattr(ops.higher_order, name) if name in _SHOWN else _other(name)


def _of_operators(name, names):
    """A submodule of which only the operators are implemented."""
    module = sys.modules[name] = types.ModuleType(name)
    other = _partial.of_pytorch(name, listed=False)
    module.__getattr__ = lambda asked: getattr(ops.higher_order, asked) if asked in names else other(asked)


for _name, _names in _OPERATORS.items():
    _of_operators(f"{__name__}.{_name}", _names.split())


class _Package(types.ModuleType):
    """An import of `scan.py` leaves `scan` the function, as in PyTorch; so does one of `out_dtype`, an operator."""

    def __setattr__(self, name, value):
        if name not in (*_FUNCTIONS, *_SHOWN) or not isinstance(value, types.ModuleType):
            super().__setattr__(name, value)


sys.modules[__name__].__class__ = _Package
