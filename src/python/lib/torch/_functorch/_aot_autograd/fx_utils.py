"""Inputs and outputs of a joint graph, by what node.meta["desc"] says of them."""

from .descriptors import (
    BufferAOTInput,
    DifferentiableAOTInput,
    DifferentiableAOTOutput,
    GradAOTOutput,
    ParamAOTInput,
    PlainAOTInput,
    PlainAOTOutput,
    SubclassGetAttrAOTInput,
    SubclassGetAttrAOTOutput,
    TangentAOTInput,
)


def _inputs(graph):
    """Pairs of a placeholder and its description."""
    for node in graph.nodes:
        if node.op == "placeholder":
            yield node, _described(node)


def _outputs(graph):
    for node in graph.nodes:
        if node.op == "output":
            yield from zip(node.args[0], _described(node))


def _described(node):
    if "desc" not in node.meta:
        raise KeyError(
            f"desc: {node.name} has no description; no dump prints it, so this graph is not a joint graph with descriptors"
        )
    return node.meta["desc"]


def _no_subclass(node, desc):
    if isinstance(desc, (SubclassGetAttrAOTInput, SubclassGetAttrAOTOutput)):
        raise RuntimeError(
            f"Subclasses are currently not supported by this function, but a desugared subclass input was found at {node} ({desc})."
        )


def get_all_input_and_grad_nodes(g):
    """{description: (placeholder, output of its gradient or None)}"""
    found = {}
    for node, desc in _inputs(g):
        if isinstance(desc, DifferentiableAOTInput):
            found[desc] = (node, None)
    for node, desc in _outputs(g):
        _no_subclass(node, desc)
        if isinstance(desc, GradAOTOutput):
            given, before = found[desc.grad_of]
            if before is not None:
                raise AssertionError(f"grad already set for {node}, {desc}, {found}")
            found[desc.grad_of] = (given, node)
    return found


def get_all_output_and_tangent_nodes(g):
    """{description: (output, placeholder of its tangent or None)}"""
    found = {}
    for node, desc in _outputs(g):
        if isinstance(desc, DifferentiableAOTOutput):
            found[desc] = (node, None)
    for node, desc in _inputs(g):
        _no_subclass(node, desc)
        if isinstance(desc, TangentAOTInput):
            made, before = found[desc.output]
            if before is not None:
                raise AssertionError(f"tangent already set for {node}, {desc}, {found}")
            found[desc.output] = (made, node)
    return found


def _of(kind, pairs):
    return {desc: pair for desc, pair in pairs.items() if isinstance(desc, kind)}


def get_param_and_grad_nodes(graph):
    return _of(ParamAOTInput, get_all_input_and_grad_nodes(graph))


def get_plain_input_and_grad_nodes(graph):
    return _of(PlainAOTInput, get_all_input_and_grad_nodes(graph))


def get_plain_output_and_tangent_nodes(graph):
    return _of(PlainAOTOutput, get_all_output_and_tangent_nodes(graph))


def _named(graph, kind):
    found = {}
    for node, desc in _inputs(graph):
        _no_subclass(node, desc)
        if isinstance(desc, kind):
            found[desc.target] = node
    return found


def get_named_param_nodes(graph):
    return _named(graph, ParamAOTInput)


def get_named_buffer_nodes(graph):
    return _named(graph, BufferAOTInput)


def get_param_nodes(graph):
    return list(get_named_param_nodes(graph).values())


def get_buffer_nodes(graph):
    return list(get_named_buffer_nodes(graph).values())
