"""The exported program of a graph, for passes that take one."""

from typing import Any

# torch.export's prefixes of a model's placeholders.
_KINDS = {"p_": "PARAMETER", "b_": "BUFFER", "c_": "CONSTANT_TENSOR", "obj_": "CUSTOM_OBJ", "token": "TOKEN"}

_told = []  # one entry once this run has printed which placeholders it assumes to be parameters


def program_of(module: Any) -> Any:
    """The program of a graph's module, with the signature that the graph's text prints. If there is none, placeholders are
    classified by name. A parameter's tensor is fake."""
    from torch.export import exported_program as ep

    inputs, state, constants, guessed = [], {}, {}, []
    for node in module.graph.find_nodes(op="placeholder"):
        read = _signature(node)
        kind, target, persistent = read[0] if read else _by_name(node.name)
        if kind == "BUFFER":
            persistent = persistent is not False
        arg = ep.TokenArgument(node.name) if kind == "TOKEN" else _argument(node)
        inputs.append(ep.InputSpec(ep.InputKind[kind], arg, target, persistent))
        if target is None:
            continue
        if not read:
            guessed.append(node.name)
        held = state if kind == "PARAMETER" or (kind == "BUFFER" and persistent) else constants
        held[target] = dict.get(node.meta, "val")
    output = next(iter(module.graph.find_nodes(op="output")), None)
    returned = output.args[0] if output is not None else ()
    returned = returned if isinstance(returned, (tuple, list)) else (returned,)
    read = (output is not None and _signature(output)) or []
    if len(read) != len(returned):
        read = [("USER_OUTPUT", None, None)] * len(returned)
    outputs = [
        ep.OutputSpec(ep.OutputKind[kind], _argument(value), target) for value, (kind, target, _) in zip(returned, read)
    ]
    if guessed and not _told:
        _told.append(True)
        print(
            f"Fusescope takes {', '.join(guessed[:3])}{' and others' if len(guessed) > 3 else ''} for parameters, buffers and "
            "constants of the program by their names (p_, b_, c_): their tensors are fake, and no output is a mutation."
        )
    signature = ep.ExportGraphSignature(inputs, outputs)
    return ep.ExportedProgram(module, module.graph, signature, state, {}, [], constants=constants)


def _signature(node):
    """[(kind, target, persistent)] of a placeholder or the output, as the graph's text prints it; None without one."""
    return node._table.fetch(node._key)["signature"]


def _by_name(name):
    """The kind of a placeholder by torch.export's name."""
    prefix = next((p for p in _KINDS if name.startswith(p)), None)
    kind = _KINDS[prefix] if prefix else "USER_INPUT"
    target = name[len(prefix) :] if prefix and prefix != "token" else None
    return kind, target, None


def _argument(value):
    from torch.export import exported_program as ep

    if not hasattr(value, "name"):
        return ep.ConstantArgument("", value)
    val = dict.get(value.meta, "val")
    kinds = {"SymInt": ep.SymIntArgument, "SymFloat": ep.SymFloatArgument, "SymBool": ep.SymBoolArgument}
    return kinds.get(type(val).__name__, ep.TensorArgument)(value.name)


class OfProgram:
    """`Class(exported_program)(graph)`: a pass that is made for one program."""

    def __init__(self, cls, method):
        self._cls, self._method = cls, method

    def __call__(self, graph):
        made = self._cls(program_of(getattr(graph, "owning_module", graph)))
        return (made if self._method is None else getattr(made, self._method))(graph)
