"""torch._functorch.partitioners: what passes over joint graphs ask of nodes, and subgraphs by inputs and outputs."""

from _fusescope import partial_modules as _partial
from torch.fx import Graph, Node
from torch.fx.experimental.proxy_tensor import py_sym_types
from torch.utils._pytree import tree_leaves
from torch.utils.checkpoint import CheckpointPolicy

_RECOMPUTED = (CheckpointPolicy.MUST_RECOMPUTE, CheckpointPolicy.PREFER_RECOMPUTE)


def is_sym_node(node):
    return isinstance(node.meta.get("val"), py_sym_types)


def _is_input(node, *words):
    return node.op == "placeholder" and any(word in str(node.target) for word in words)


def _is_tangent(node):
    return _is_input(node, "tangents")


def _is_bwd_seed_offset(node):
    return _is_input(node, "bwd_seed", "bwd_base_offset")


def _is_fwd_seed_offset(node):
    return _is_input(node, "fwd_seed", "fwd_base_offset")


def _is_primal(node):
    others = _is_tangent(node) or _is_bwd_seed_offset(node) or _is_fwd_seed_offset(node)
    return node.op == "placeholder" and not others


def must_recompute(node):
    return node.meta.get("recompute") in _RECOMPUTED


def has_recomputable_ops(fx_g):
    return any(must_recompute(node) for node in fx_g.graph.nodes)


def is_rng_op(node):
    """True if a seed may decide the result; attention draws none if its dropout is known to be 0."""
    from torch import Tag
    from torch.fx.experimental.symbolic_shapes import statically_known_true

    target = node.target
    if Tag.nondeterministic_seeded not in getattr(target, "tags", ()):
        return False
    names = [a.name for a in target._schema.arguments]
    if "dropout_p" not in names:
        return True
    at = names.index("dropout_p")
    given = node.kwargs.get("dropout_p", node.args[at] if len(node.args) > at else 0.0)
    return isinstance(given, Node) or not statically_known_true(given == 0.0)


def has_recomputable_rng_ops(fx_g):
    return any(must_recompute(node) and is_rng_op(node) for node in fx_g.graph.nodes)


def _has_tag_is_forward(node):
    return node.meta.get("partitioner_tag") == "is_forward"


def _has_tag_is_backward(node):
    return node.meta.get("partitioner_tag") == "is_backward"


def _has_tag_must_be_in_forward(node):
    return node.meta.get("partitioner_tag") == "must_be_in_forward"


def _has_tag_must_be_in_backward(node):
    return node.meta.get("partitioner_tag") == "must_be_in_backward"


def _mutates(node):
    schema = getattr(node.target, "_schema", None)
    return schema is not None and schema.is_mutable


def _must_be_in_forward(node):
    backward = _has_tag_is_backward(node) or _has_tag_must_be_in_backward(node)
    return _has_tag_must_be_in_forward(node) or (_mutates(node) and not backward)


def _must_be_in_backward(node):
    return _has_tag_must_be_in_backward(node) or (_mutates(node) and _has_tag_is_backward(node))


def _extract_fwd_bwd_outputs(joint_module, *, num_fwd_outputs):
    """The outputs of both parts, and what describes them in meta["desc"]."""
    output = next(iter(joint_module.graph.find_nodes(op="output")))
    outputs = tree_leaves(output.args)
    descriptions = tree_leaves(output.meta.get("desc", [None] * len(outputs)))
    split = slice(num_fwd_outputs), slice(num_fwd_outputs, None)
    return *(outputs[part] for part in split), *(descriptions[part] for part in split)


def _extract_graph_with_inputs_outputs(
    joint_graph, inputs, outputs, outputs_descs, subgraph=None, ignore_must_be_in_fw_bw=False
):
    """A graph of what computes the outputs from the inputs, which may be calls."""
    graph = Graph()
    copies = {}
    for node in inputs:
        copies[node] = graph.placeholder(node.name)
        copies[node].meta = node.meta
    for node in joint_graph.nodes:
        if node in copies or node.op in ("placeholder", "output"):
            continue
        elsewhere = not ignore_must_be_in_fw_bw and (
            (_must_be_in_backward(node) and subgraph != "backward")
            or (_must_be_in_forward(node) and subgraph != "forward")
        )
        if not elsewhere and all(argument in copies for argument in node.all_input_nodes):
            copies[node] = graph.node_copy(node, copies.__getitem__)
    if lost := next((x for x in outputs if isinstance(x, Node) and x not in copies), None):
        raise AssertionError(f"Node {lost} was invalid, but is output")
    made = graph.output(tuple(copies[x] if isinstance(x, Node) else x for x in outputs))
    made.meta["desc"] = outputs_descs
    graph.eliminate_dead_code()
    graph.lint()
    return graph


__getattr__ = _partial.of_pytorch(__name__, listed=False)
