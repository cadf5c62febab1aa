"""torch.export.graph_signature: what each input and output of an exported graph is."""

import dataclasses
import enum
from typing import Any

from _fusescope import partial_modules as _partial


@dataclasses.dataclass
class TensorArgument:
    name: str


@dataclasses.dataclass
class TokenArgument:
    name: str


@dataclasses.dataclass
class SymIntArgument:
    name: str


@dataclasses.dataclass
class SymFloatArgument:
    name: str


@dataclasses.dataclass
class SymBoolArgument:
    name: str


@dataclasses.dataclass
class CustomObjArgument:
    name: str
    class_fqn: str
    fake_val: Any = None


@dataclasses.dataclass
class ConstantArgument:
    name: str
    value: Any


ArgumentSpec = (
    TensorArgument
    | SymIntArgument
    | SymFloatArgument
    | SymBoolArgument
    | ConstantArgument
    | CustomObjArgument
    | TokenArgument
)


class InputKind(enum.Enum):
    USER_INPUT = enum.auto()
    PARAMETER = enum.auto()
    BUFFER = enum.auto()
    CONSTANT_TENSOR = enum.auto()
    CUSTOM_OBJ = enum.auto()
    TOKEN = enum.auto()


@dataclasses.dataclass
class InputSpec:
    kind: InputKind
    arg: Any
    target: str | None
    persistent: bool | None = None

    def __post_init__(self):
        if self.kind is InputKind.BUFFER and self.persistent is None:
            raise AssertionError("Failed to specify persistent flag on BUFFER.")


class OutputKind(enum.Enum):
    USER_OUTPUT = enum.auto()
    LOSS_OUTPUT = enum.auto()
    BUFFER_MUTATION = enum.auto()
    PARAMETER_MUTATION = enum.auto()
    GRADIENT_TO_PARAMETER = enum.auto()
    GRADIENT_TO_USER_INPUT = enum.auto()
    USER_INPUT_MUTATION = enum.auto()
    TOKEN = enum.auto()


@dataclasses.dataclass
class OutputSpec:
    kind: OutputKind
    arg: Any
    target: str | None


@dataclasses.dataclass
class ExportBackwardSignature:
    gradients_to_parameters: dict[str, str]
    gradients_to_user_inputs: dict[str, str]
    loss_output: str


_USERS_INPUTS = (TensorArgument, SymIntArgument, SymFloatArgument, SymBoolArgument, CustomObjArgument)


def _plain(arg):
    """The name of an argument, or the value of a constant one."""
    return arg.value if isinstance(arg, ConstantArgument) else arg.name


@dataclasses.dataclass
class ExportGraphSignature:
    input_specs: list[InputSpec]
    output_specs: list[OutputSpec]

    def _targets(self, kind):
        return tuple(s.target for s in self.input_specs if s.kind is kind and isinstance(s.target, str))

    def _inputs_to(self, kind):
        """Placeholder → target."""
        return {s.arg.name: s.target for s in self.input_specs if s.kind is kind and isinstance(s.target, str)}

    def _outputs_to(self, kind):
        """Name of an output → target."""
        return {s.arg.name: s.target for s in self.output_specs if s.kind is kind and isinstance(s.target, str)}

    @property
    def parameters(self):
        return self._targets(InputKind.PARAMETER)

    @property
    def buffers(self):
        return self._targets(InputKind.BUFFER)

    @property
    def non_persistent_buffers(self):
        return tuple(s.target for s in self.input_specs if s.kind is InputKind.BUFFER and s.persistent is False)

    @property
    def lifted_tensor_constants(self):
        return self._targets(InputKind.CONSTANT_TENSOR)

    @property
    def lifted_custom_objs(self):
        return self._targets(InputKind.CUSTOM_OBJ)

    @property
    def user_inputs(self):
        return tuple(_plain(s.arg) for s in self.input_specs if s.kind is InputKind.USER_INPUT)

    @property
    def user_outputs(self):
        return tuple(
            _plain(s.arg) for s in self.output_specs if s.kind in (OutputKind.USER_OUTPUT, OutputKind.LOSS_OUTPUT)
        )

    @property
    def inputs_to_parameters(self):
        return self._inputs_to(InputKind.PARAMETER)

    @property
    def inputs_to_buffers(self):
        return self._inputs_to(InputKind.BUFFER)

    @property
    def inputs_to_lifted_tensor_constants(self):
        return self._inputs_to(InputKind.CONSTANT_TENSOR)

    @property
    def inputs_to_lifted_custom_objs(self):
        return self._inputs_to(InputKind.CUSTOM_OBJ)

    @property
    def buffers_to_mutate(self):
        return self._outputs_to(OutputKind.BUFFER_MUTATION)

    @property
    def parameters_to_mutate(self):
        return self._outputs_to(OutputKind.PARAMETER_MUTATION)

    @property
    def user_inputs_to_mutate(self):
        return self._outputs_to(OutputKind.USER_INPUT_MUTATION)

    @property
    def backward_signature(self):
        loss = next((s.arg.name for s in self.output_specs if s.kind is OutputKind.LOSS_OUTPUT), None)
        if loss is None:
            return None
        return ExportBackwardSignature(
            self._outputs_to(OutputKind.GRADIENT_TO_PARAMETER),
            self._outputs_to(OutputKind.GRADIENT_TO_USER_INPUT),
            loss,
        )

    @property
    def assertion_dep_token(self):
        return None

    @property
    def input_tokens(self):
        return tuple(s.arg.name for s in self.input_specs if s.kind is InputKind.TOKEN)

    @property
    def output_tokens(self):
        return tuple(s.arg.name for s in self.output_specs if s.kind is OutputKind.TOKEN)

    def replace_all_uses(self, old, new):
        """Gives the arguments of the name `old` the name `new`."""
        if not isinstance(old, str) or not isinstance(new, str):
            raise AssertionError(f"expected names, got {type(old)} and {type(new)}")
        for spec in (*self.input_specs, *self.output_specs):
            if not isinstance(spec.arg, ConstantArgument) and spec.arg.name == old:
                spec.arg.name = new

    def get_replace_hook(self, replace_inputs=False):
        """A hook of a graph's replacements, which keeps the names of outputs and, if asked, of inputs."""

        def hook(old, new, user):
            if user.op in ("output", "input") or (replace_inputs and old.op == "placeholder"):
                self.replace_all_uses(old.name, new if isinstance(new, str) else new.name)

        return hook


__getattr__ = _partial.of_pytorch(__name__, listed=False)
