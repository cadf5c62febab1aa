"""The exported program of a graph, for passes that take one."""

from typing import Any

# How torch.export names the placeholders of what a model holds.
_KINDS = {"p_": "PARAMETER", "b_": "BUFFER", "c_": "CONSTANT_TENSOR", "obj_": "CUSTOM_OBJ", "token": "TOKEN"}

_told = []  # one entry once this run has said what it takes for parameters


def program_of(module: Any) -> Any:
    """The program of a graph's module. The text of a graph has no signature: the names of placeholders tell what they are, and
    a parameter's tensor is fake."""
    from torch.export import exported_program as ep

    def argument(value):
        if not hasattr(value, "name"):
            return ep.ConstantArgument("", value)
        val = dict.get(value.meta, "val")
        kinds = {"SymInt": ep.SymIntArgument, "SymFloat": ep.SymFloatArgument, "SymBool": ep.SymBoolArgument}
        return kinds.get(type(val).__name__, ep.TensorArgument)(value.name)

    inputs, state, constants, guessed = [], {}, {}, []
    for node in module.graph.find_nodes(op="placeholder"):
        prefix = next((p for p in _KINDS if node.name.startswith(p)), None)
        kind = ep.InputKind[_KINDS[prefix]] if prefix else ep.InputKind.USER_INPUT
        target = node.name[len(prefix) :] if prefix and prefix != "token" else None
        persistent = True if kind is ep.InputKind.BUFFER else None
        arg = argument(node) if prefix != "token" else ep.TokenArgument(node.name)
        inputs.append(ep.InputSpec(kind, arg, target, persistent))
        if target is not None:
            guessed.append(node.name)
            held = state if kind in (ep.InputKind.PARAMETER, ep.InputKind.BUFFER) else constants
            held[target] = dict.get(node.meta, "val")
    returned = next((n.args[0] for n in module.graph.find_nodes(op="output")), ())
    returned = returned if isinstance(returned, (tuple, list)) else (returned,)
    outputs = [ep.OutputSpec(ep.OutputKind.USER_OUTPUT, argument(value), None) for value in returned]
    if guessed and not _told:
        _told.append(True)
        print(
            f"Fusescope takes {', '.join(guessed[:3])}{' and others' if len(guessed) > 3 else ''} for parameters, buffers and "
            "constants of the program by their names (p_, b_, c_): their tensors are fake, and no output is a mutation."
        )
    signature = ep.ExportGraphSignature(inputs, outputs)
    return ep.ExportedProgram(module, module.graph, signature, state, {}, [], constants=constants)


class OfProgram:
    """`Class(exported_program)(graph)`: a pass that is made for one program."""

    def __init__(self, cls, method):
        self._cls, self._method = cls, method

    def __call__(self, graph):
        made = self._cls(program_of(getattr(graph, "owning_module", graph)))
        return (made if self._method is None else getattr(made, self._method))(graph)
