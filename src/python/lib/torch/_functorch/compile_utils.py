"""torch._functorch.compile_utils: merges equal calls of a graph."""

from collections.abc import Callable, Hashable
from typing import Any

import torch
from _fusescope import partial_modules as _partial
from torch import fx


def get_aten_target(node: fx.Node) -> Any:
    return getattr(node.target, "overloadpacket", node.target)


def fx_graph_cse(fx_g: fx.Graph, extra_node_key: Callable[[fx.Node], Hashable] | None = None) -> fx.Graph:
    """A copy of a graph in which a call with the target and the arguments of an earlier one is that call."""
    from torch._inductor.pattern_matcher import compute_mutation_region_ids, same_mutation_regions

    compute_mutation_region_ids(fx_g)
    made, env, first = fx.Graph(), {}, {}
    kept = _aliases_of_outputs(fx_g) | _mutated_bases(fx_g)
    for node in fx_g.nodes:
        # Random operators are impure, too.
        alone = node.is_impure() or get_aten_target(node) is torch.ops.aten.empty
        if alone or node.op in ("placeholder", "output", "get_attr") or node in kept:
            env[node] = made.node_copy(node, env.__getitem__)
            continue
        extra = None if extra_node_key is None else extra_node_key(node)
        key = node.target, extra, _key(node.args, env), _key(node.kwargs, env), _context(node)
        found = first.get(key)
        if found is not None and same_mutation_regions(node, found):
            env[node] = found
            continue
        env[node] = first[key] = made.node_copy(node, env.__getitem__)
    return made


def _key(value, env):
    """Equal for equal arguments: numbers by type and digits, so that 1 is no 1.0 and 0.0 no -0.0."""
    if isinstance(value, fx.Node):
        return id(env[value])
    if isinstance(value, (tuple, list)):
        return type(value).__name__, *(_key(v, env) for v in value)
    if isinstance(value, dict):
        return tuple((k, _key(v, env)) for k, v in value.items())
    return type(value), repr(value)


def _context(node):
    custom = node.meta.get("custom") or {}
    return custom.get("stream", 0), custom.get("mempool"), custom.get("mempool_device")


def _storage(node):
    val = node.meta.get("val")
    return val.untyped_storage() if isinstance(val, torch.Tensor) else None


def _aliases_of_outputs(graph):
    """Tensors that are returned stay apart, as they are in eager mode."""
    returned = {_storage(n) for n in graph.output_node().all_input_nodes} - {None}
    return {n for n in graph.nodes if _storage(n) in returned}


def _mutated_bases(graph):
    """The buffers that functionalized calls write to."""
    found = set()
    for node in graph.nodes:
        if node.target is torch.ops.higher_order.auto_functionalized_v2:
            bases = node.kwargs.get("_all_bases", ())
        elif node.target is torch.ops.higher_order.auto_functionalized:
            schema = node.args[0]._schema
            bases = [node.kwargs.get(a.name) for a in schema.arguments if a.alias_info and a.alias_info.is_write]
        else:
            continue
        for base in bases:
            found.update(b for b in (base if isinstance(base, (list, tuple)) else (base,)) if isinstance(b, fx.Node))
    return found


__getattr__ = _partial.of_pytorch(__name__)
