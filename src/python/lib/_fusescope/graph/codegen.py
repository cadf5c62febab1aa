"""How a graph takes and returns values: as they are, or packed in the containers of an exported program."""

from dataclasses import dataclass
from typing import NamedTuple
from typing import Any


class CodeGen:
    __module__ = "torch.fx.graph"

    def process_inputs(self, *args: Any) -> Any:
        return args

    def process_outputs(self, outputs: Any) -> Any:
        return outputs


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
