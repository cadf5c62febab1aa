"""torch.fx.graph's names."""

import builtins
import keyword
import math
import re
import typing
from collections import namedtuple

import torch
from _fusescope import partial_modules as _partial
from _fusescope.graph.codegen import CodeGen, PythonCode, _BoxedCodeGen, _PyTreeCodeGen, _PyTreeInfo  # noqa: F401
from _fusescope.graph.graph import Graph  # noqa: F401
from _fusescope.graph.node_list import _node_list  # noqa: F401
from torch._types import _DTYPES

from torch.utils import _pytree as pytree

from . import _pytree
from .node import Target, map_arg  # noqa: F401

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


_CustomBuiltin = namedtuple("_CustomBuiltin", "import_str obj")
_custom_builtins = {
    "inf": _CustomBuiltin("from math import inf", math.inf),
    "nan": _CustomBuiltin("from math import nan", math.nan),
    "NoneType": _CustomBuiltin("NoneType = type(None)", type(None)),
    "torch": _CustomBuiltin("import torch", torch),
    "device": _CustomBuiltin("from torch import device", torch.device),
    "fx_pytree": _CustomBuiltin("import torch.fx._pytree as fx_pytree", _pytree),
    "pytree": _CustomBuiltin("import torch.utils._pytree as pytree", pytree),
}
_PYTHONS = {**vars(builtins), **{name: value.obj for name, value in _custom_builtins.items()}}
_origin_type_map = {kind: getattr(typing, kind.__name__.capitalize()) for kind in (list, dict, set, tuple)}
_origin_type_map[frozenset] = typing.FrozenSet


def _format_target(base, target):
    """`self`, `a.0` as the code of a graph writes it: `getattr(self.a, "0")`."""
    for name in target.split("."):
        base = f"{base}.{name}" if name.isidentifier() else f'getattr({base}, "{name}")'
    return base


class _Namespace:
    """Unique names, as user code makes them beside a graph."""

    def __init__(self):
        self._obj_to_name, self._used_names, self._base_count = {}, set(), {}

    def create_name(self, candidate, obj=None):
        if obj is not None and obj in self._obj_to_name:
            return self._obj_to_name[obj]
        candidate = re.sub("[^0-9a-zA-Z_]+", "_", candidate) or "_unnamed"
        if candidate[0].isdigit():
            candidate = f"_{candidate}"
        base, number = re.fullmatch(r"(.*?)(?:_(\d+))?", candidate).groups()
        if number is None or candidate in self._used_names:
            count = self._base_count.get(base, 0)
            if keyword.iskeyword(candidate) or _PYTHONS.get(candidate, obj) is not obj:
                count += 1
                candidate = f"{base}_{count}"
        else:
            count = int(number)
        while candidate in self._used_names:
            count += 1
            candidate = f"{base}_{count}"
        self._used_names.add(candidate)
        self._base_count[base] = count
        if obj is not None:
            self._obj_to_name[obj] = candidate
        return candidate

    def associate_name_with_obj(self, name, obj):
        if self._obj_to_name.setdefault(obj, name) is not name:
            raise AssertionError("obj is already associated")


__getattr__ = _partial.of_pytorch(__name__)
