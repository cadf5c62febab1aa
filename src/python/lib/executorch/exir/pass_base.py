"""executorch.exir.pass_base: ExportPass, which runs a graph over fake tensors and builds another of what it calls."""

import operator
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import torch
from executorch.exir import memory
from executorch.exir.delegate import executorch_call_delegate, is_lowered_module
from executorch.exir.dialects._ops import ops as exir_ops
from executorch.exir.dialects.edge._ops import EdgeOpOverload
from executorch.exir.error import ExportError, ExportErrorType
from torch._export.pass_base import (  # noqa: F401
    _ExportPassBaseDeprecatedDoNotUse,
    _TORCH_SYM_OPS,
    _unstack_pytree,
    ExportPassBaseError,
)
from torch._export.pass_infra.node_metadata import NodeMetadata, PROTECTED_KEYS  # noqa: F401
from torch._export.pass_infra.proxy_value import ProxyValue  # noqa: F401
from torch.export import ExportedProgram
from torch.fx.passes.infra.pass_base import PassBase, PassResult  # noqa: F401

Fn = PassType = Callable[..., Any]
Argument = Value = NodeMetadataValue = Any


@dataclass(frozen=True)
class ExportedProgramPassResult:
    exported_program: ExportedProgram
    modified: bool


class ExportedProgramPassBase(ABC):
    def __call__(self, exported_program: ExportedProgram) -> ExportedProgramPassResult:
        self.requires(exported_program)
        made = self.call(exported_program)
        self.ensures(exported_program)
        return made

    @abstractmethod
    def call(self, exported_program: ExportedProgram) -> ExportedProgramPassResult:
        """The pass."""

    def requires(self, exported_program: ExportedProgram) -> None:
        """Checks the program before the pass."""

    def ensures(self, exported_program: ExportedProgram) -> None:
        """Checks the program after the pass."""


class _Interpreter(_ExportPassBaseDeprecatedDoNotUse.ExportInterpreter):
    def call_function(self, target, args, kwargs):
        meta, callback = NodeMetadata(self.node.meta), self.callback
        if target == operator.getitem:
            return callback.call_getitem(*args, meta)
        if isinstance(target, EdgeOpOverload):
            return callback.call_operator(target, args, kwargs, meta)
        if target == memory.alloc:
            return callback._fx("call_function", target, args, kwargs, meta)
        if target == executorch_call_delegate:
            return callback.call_delegate(args[0], args[1:], kwargs, meta)
        return super().call_function(target, args, kwargs)


class _Tracer(_ExportPassBaseDeprecatedDoNotUse.ExportTracer):
    _prefix = staticmethod(lambda module: "lowered_module" if is_lowered_module(module) else "submodule")


class _ExportPassBase(_ExportPassBaseDeprecatedDoNotUse):
    ExportTracer, ExportInterpreter = _Tracer, _Interpreter

    def should_preserve_symbolic_input_metadata(self):
        return True

    def call_size_operator(self, tensor_proxy, dim, meta, *, edge_dialect=False):
        size = tensor_proxy.data.shape[dim]
        if not isinstance(size, torch.SymInt):
            return int(size)
        op = exir_ops.edge.aten.sym_size.int if edge_dialect else torch.ops.aten.sym_size.int
        return self.call_operator(op, (tensor_proxy, dim), {}, meta)

    def call_size_operator_all(self, tensor_proxy, meta, *, edge_dialect=False):
        dims = range(len(tensor_proxy.data.shape))
        return [self.call_size_operator(tensor_proxy, d, meta, edge_dialect=edge_dialect) for d in dims]

    def call_while(self, cond_fn, body_fn, carried_inputs, additional_inputs, meta):
        given = (*carried_inputs, *additional_inputs)
        bodies = [self.call_submodule(f, given).graph_module for f in (cond_fn, body_fn)]
        args = (*bodies, carried_inputs, additional_inputs)
        return self._fx("call_function", torch.ops.higher_order.while_loop, args, {}, meta)

    def call_scan(self, combine_fn, init, xs, additional_inputs, meta):
        holes = [node for node in combine_fn.graph.nodes if node.op == "placeholder"]
        items = [holes[len(init) + i].meta["val"] for i in range(len(xs))]
        body = self.call_submodule(combine_fn, (*init, *items, *additional_inputs)).graph_module
        args = (body, init, xs, additional_inputs)
        return self._fx("call_function", torch.ops.higher_order.scan, args, {}, meta)


class ExportPass(_ExportPassBase):
    def call_delegate(self, lowered_module, args, kwargs, meta):
        return self._fx("call_function", executorch_call_delegate, (lowered_module, *args), kwargs, meta)

    def call_submodule(self, graph_module, inputs):
        made = super().call_submodule(graph_module, inputs)
        before, after = (
            [node for node in module.graph.nodes if node.op == "placeholder"]
            for module in (graph_module, made.graph_module)
        )
        if len(before) != len(after):
            raise ExportError(ExportErrorType.NOT_SUPPORTED, "ExportPassBase doesn't support changing the placeholders")
        return made


def map_args(op, fn, args, kwargs):
    """The arguments with `fn(value, schema)` in the place of each that the call gives."""
    args, kwargs = list(args), dict(kwargs)
    for i, schema in enumerate(op._schema.arguments):
        if schema.name in kwargs:
            kwargs[schema.name] = fn(kwargs[schema.name], schema)
        elif not schema.kwarg_only and i < len(args):
            args[i] = fn(args[i], schema)
    return tuple(args), kwargs
