"""torch.fx.passes.operator_support: which nodes a backend takes."""

import abc

from _fusescope import partial_modules as _partial
from .shape_prop import TensorMetadata
from .tools_common import CALLABLE_NODE_OPS, get_node_target


class OperatorSupportBase(abc.ABC):
    @abc.abstractmethod
    def is_node_supported(self, submodules, node):
        raise NotImplementedError


class OperatorSupport(OperatorSupportBase):
    """By target: None, or the dtypes of its arguments by position and by keyword."""

    _support_dict = {}

    def __init__(self, support_dict=None):
        self._support_dict = support_dict or {}

    def is_node_supported(self, submodules, node):
        if node.op not in CALLABLE_NODE_OPS:
            return True
        target = get_node_target(submodules, node)
        if target not in self._support_dict:
            return False
        if self._support_dict[target] is None:
            return True
        by_position, by_keyword = self._support_dict[target]
        given = [
            *zip(node.args, by_position),
            *((node.kwargs[k], dtypes) for k, dtypes in by_keyword.items() if k in node.kwargs),
        ]
        return all(dtypes is None or not hasattr(arg, "meta") or _dtype(arg) in dtypes for arg, dtypes in given)


def create_op_support(is_node_supported):
    class FunctionalOperatorSupport(OperatorSupportBase):
        def is_node_supported(self, submodules, node):
            return is_node_supported(submodules, node)

    return FunctionalOperatorSupport()


def chain(*op_support):
    return create_op_support(
        lambda submodules, node: all(each.is_node_supported(submodules, node) for each in op_support)
    )


def any_chain(*op_support):
    return create_op_support(
        lambda submodules, node: any(each.is_node_supported(submodules, node) for each in op_support)
    )


class OpSupports:
    @classmethod
    def decline_if_input_dtype(cls, dtype):
        return create_op_support(lambda submodules, node: all(_dtype(arg) != dtype for arg in node.all_input_nodes))

    @classmethod
    def decline_if_node_in_names(cls, disallow_set):
        return create_op_support(lambda submodules, node: node.name not in disallow_set)


def _dtype(node):
    meta = node.meta.get("tensor_meta")
    return meta.dtype if isinstance(meta, TensorMetadata) else node.meta["type"]


__getattr__ = _partial.of_pytorch(__name__)
