"""torch.fx.graph's names."""

from _fusescope import partial_modules as _partial
from _fusescope.graph.codegen import CodeGen, PythonCode, _PyTreeCodeGen, _PyTreeInfo  # noqa: F401
from _fusescope.graph.graph import Graph  # noqa: F401
from _fusescope.graph.node_list import _node_list  # noqa: F401
from torch._types import _DTYPES

from .node import map_arg  # noqa: F401

_KINDS = (("bfloat", "bf"), ("float", "f"), ("uint", "u"), ("int", "i"), ("complex", "c"))


def _short(name):
    long, letter = next(((long, letter) for long, letter in _KINDS if name.startswith(long)), (name, name))
    return "b8" if name == "bool" else letter + name.removeprefix(long).replace("_", "")


dtype_abbrs = {dtype: _short(name) for name, dtype in _DTYPES.items()}


_INFIX = dict(
    add="+",
    sub="-",
    mul="*",
    floordiv="//",
    truediv="/",
    div="/",
    mod="%",
    pow="**",
    lshift="<<",
    rshift=">>",
    and_="&",
    or_="|",
    xor="^",
    matmul="@",
)
_ORDER = dict(eq="==", ne="!=", lt="<", gt=">", le="<=", ge=">=")
reflectable_magic_methods = {**{name: f"{{}} {sign} {{}}" for name, sign in _INFIX.items()}, "getitem": "{}[{}]"}
magic_methods = {
    **{name: f"{{}} {sign} {{}}" for name, sign in _ORDER.items()},
    "pos": "+{}",
    "neg": "-{}",
    "invert": "~{}",
    **reflectable_magic_methods,
}
inplace_methods = {
    **{f"i{name.rstrip('_')}": f"{{}} {sign}= {{}}" for name, sign in _INFIX.items() if name != "div"},
    "setitem": "{}[{}] = {}",
}

__getattr__ = _partial.of_pytorch(__name__)
