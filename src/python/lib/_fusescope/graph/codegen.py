"""How a graph takes and returns values: as they are, or packed in the containers of an exported program."""

import math
import re
from dataclasses import dataclass
from typing import NamedTuple
from typing import Any

from .targets import fn_name


class CodeGen:
    __module__ = "torch.fx.graph"

    def process_inputs(self, *args: Any) -> Any:
        return args

    def process_outputs(self, outputs: Any) -> Any:
        return outputs


class _BoxedCodeGen(CodeGen):
    """The module's forward takes one list, which it clears."""

    __module__ = "torch.fx.graph"


def boxed(code: str) -> str:
    """The code of a forward as that class writes it."""
    found = re.search(r"^def (\w+)\(self(.*)\)(.*):$", code, re.M)
    if found is None:
        return code
    names = [part.split(":")[0].split("=")[0].strip() for part in found[2].split(", ")[1:]]
    taken = ["args_iter = iter(args_list)", *(f"{name} = next(args_iter)" for name in names), "args_list.clear()"]
    head = f"def {found[1]}(self, args_list){found[3]}:"
    return code.replace(found[0], "\n    ".join([head, *(taken if names else [])]), 1)


def wrapping(code: str, nodes: Any) -> str:
    """The code of a forward after torch.fx.wrap of the functions that need it."""
    for name in dict.fromkeys(fn_name(n.target).rpartition(":")[2] for n in nodes if n.meta.get("is_wrapped")):
        code = code.replace("\ndef ", f'torch.fx._symbolic_trace.wrap("{name.replace(".", "_")}")\n\ndef ', 1)
    return code


def globals_of(nodes: Any, code: str) -> dict:
    """What the code of a forward refers to by a name of its own: names that all code has, functions outside torch, types of inputs."""
    import torch
    from torch.fx import _pytree as fx_pytree
    from torch.utils import _pytree as pytree

    usual = {"inf": math.inf, "nan": math.nan, "NoneType": type(None), "torch": torch, "device": torch.device}
    found = {**usual, "fx_pytree": fx_pytree, "pytree": pytree}
    for node in nodes:
        for value in (node.target if node.op == "call_function" else None, node.type):
            module = getattr(value, "__module__", None) or ""
            if value is None or module.partition(".")[0] == "torch" or not hasattr(value, "__name__"):
                continue
            name = fn_name(value).removeprefix("builtins.").replace(".", "_")
            if module != "_operator" or name in code:  # the others are signs
                found[name] = value
    return found


class _PyTreeInfo(NamedTuple):
    orig_args: list
    in_spec: object
    out_spec: object


class _PyTreeCodeGen(CodeGen):
    __module__ = "torch.fx.graph"

    def __init__(self, pytree_info):
        self.pytree_info = pytree_info

    def process_inputs(self, *inputs):
        from torch.utils import _pytree

        return _pytree.tree_leaves(inputs)

    def process_outputs(self, out):
        from torch.utils import _pytree

        leaves = [out] if not isinstance(out, (list, tuple)) else out
        return _pytree.tree_unflatten(list(leaves), self.pytree_info.out_spec)


@dataclass
class PythonCode:
    __module__ = "torch.fx.graph"
    src: str
    globals: dict
    _lineno_map: dict
