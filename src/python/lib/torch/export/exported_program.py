"""torch.export.ExportedProgram: a graph, what its inputs and outputs are, and the tensors of its parameters as fake tensors."""

import dataclasses
from typing import Any

import torch
from _fusescope import partial_modules as _partial

from .graph_signature import (  # noqa: F401
    ArgumentSpec,
    ConstantArgument,
    CustomObjArgument,
    ExportGraphSignature,
    InputKind,
    InputSpec,
    OutputKind,
    OutputSpec,
    SymBoolArgument,
    SymFloatArgument,
    SymIntArgument,
    TensorArgument,
    TokenArgument,
)


@dataclasses.dataclass
class ModuleCallSignature:
    inputs: list[Any]
    outputs: list[Any]
    in_spec: Any
    out_spec: Any
    forward_arg_names: list[str] | None = None


@dataclasses.dataclass
class ModuleCallEntry:
    fqn: str
    signature: ModuleCallSignature | None = None


class ExportedProgram:
    def __init__(
        self,
        root,
        graph,
        graph_signature,
        state_dict,
        range_constraints,
        module_call_graph,
        example_inputs=None,
        constants=None,
        *,
        verifiers=None,
    ):
        is_own = isinstance(root, torch.fx.GraphModule) and root.graph is graph
        self._graph_module = root if is_own else torch.fx.GraphModule(root, graph)
        self._graph_signature, self._state_dict = graph_signature, state_dict
        self._range_constraints, self._module_call_graph = range_constraints, module_call_graph
        self._example_inputs, self._constants = example_inputs, constants or {}
        self._verifiers = verifiers or []

    @property
    def graph_module(self):
        return self._graph_module

    @graph_module.setter
    def graph_module(self, value):
        raise RuntimeError("Unable to set ExportedProgram's graph_module attribute.")

    @property
    def graph(self):
        return self._graph_module.graph

    @graph.setter
    def graph(self, value):
        raise RuntimeError("Unable to set ExportedProgram's graph attribute.")

    @property
    def graph_signature(self):
        return self._graph_signature

    @property
    def state_dict(self):
        return self._state_dict

    @property
    def constants(self):
        return self._constants

    tensor_constants = constants

    @property
    def range_constraints(self):
        return self._range_constraints

    @property
    def module_call_graph(self):
        return self._module_call_graph

    @property
    def example_inputs(self):
        return self._example_inputs

    @property
    def verifiers(self):
        return self._verifiers

    @property
    def dialect(self):
        return "ATEN"

    def named_parameters(self):
        for name in self.graph_signature.parameters:
            yield name, self.state_dict[name]

    def parameters(self):
        for _, value in self.named_parameters():
            yield value

    def named_buffers(self):
        transient = set(self.graph_signature.non_persistent_buffers)
        for name in self.graph_signature.buffers:
            yield name, (self.constants if name in transient else self.state_dict)[name]

    def buffers(self):
        for _, value in self.named_buffers():
            yield value

    def module(self, check_guards=True):
        return self._graph_module

    def validate(self):
        self._graph_module.graph.lint()

    _validate = validate

    def __call__(self, *args, **kwargs):
        raise RuntimeError(
            "Unable to call ExportedProgram directly. You should use `exported_program.module()` instead."
        )

    def __str__(self):
        code = self._graph_module.print_readable(print_output=False)
        return f"ExportedProgram:\n    {code}\nGraph signature: {self.graph_signature}\nRange constraints: {self.range_constraints}\n"

    def run_decompositions(self, decomp_table=None, decompose_custom_triton_ops=False):
        raise NotImplementedError(
            "Fusescope's torch has no ExportedProgram.run_decompositions: print the graph behind it, and open that text"
        )

    def _transform_do_not_use(self, *passes):
        from torch.fx.passes.infra.pass_manager import PassManager

        made = PassManager(list(passes))(self._graph_module)
        module = self._graph_module if made is None else made.graph_module
        return ExportedProgram(
            module,
            module.graph,
            self._graph_signature,
            self._state_dict,
            self._range_constraints,
            self._module_call_graph,
            self._example_inputs,
            self._constants,
            verifiers=self._verifiers,
        )

    _transform = _transform_do_not_use


__getattr__ = _partial.of_pytorch(__name__, listed=False)
