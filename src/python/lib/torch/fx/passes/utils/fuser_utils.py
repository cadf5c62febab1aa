"""Parts of a graph as submodules: which sets of nodes can be one, and the edits that make them one."""

import heapq

import torch.fx
from _fusescope import partial_modules as _partial
from torch.fx.graph import Graph
from torch.fx.passes.tools_common import NodeList, NodeSet, legalize_graph, stable_topological_sort  # noqa: F401

from ._partitions import validate_partition
from .common import lift_subgraph_as_module


def topo_sort(nodes):
    """The nodes after those of them that they use, and otherwise as they are."""
    at = {node: i for i, node in enumerate(nodes)}
    missing = {node: sum(n in at for n in node.all_input_nodes) for node in nodes}
    ready = [(at[node], node) for node, count in missing.items() if count == 0]
    heapq.heapify(ready)
    made = []
    while ready:
        _, node = heapq.heappop(ready)
        made.append(node)
        for user in node.users:
            if user in at:
                missing[user] -= 1
                if missing[user] == 0:
                    heapq.heappush(ready, (at[user], user))
    if len(made) != len(nodes):
        raise AssertionError("topological sorted nodes doesn't have same length as input nodes")
    return made


def fuse_as_graphmodule(gm, nodes, module_name, partition_lookup_table=None, *, always_return_tuple=False):
    """A GraphModule of these nodes, with the nodes outside that it takes, and those of its nodes that others use."""
    for node in nodes:
        if node.graph.owning_module is not gm:
            raise AssertionError(f"{node} doesn't belong to passed in graph module {gm._get_name()}")
        if node._erased:
            raise AssertionError(f"{node} has been removed from owning graph")
    if not validate_partition(nodes):
        raise AssertionError("Invalid partition, found dependency cycles")
    inside = dict.fromkeys(nodes) if partition_lookup_table is None else partition_lookup_table
    made, copies, taken = Graph(), {}, {}
    outside = list(dict.fromkeys(n for node in nodes for n in node.all_input_nodes if n not in inside))
    if outside and all(n.op == "placeholder" for n in outside):
        at = {node: i for i, node in enumerate(gm.graph.nodes)}
        outside.sort(key=at.__getitem__)
    for n in outside:
        taken[n] = made.placeholder(n.name, n.type)
        taken[n].meta.update(n.meta)
    for node in nodes:
        copies[node] = made.node_copy(node, lambda n: copies[n] if n in inside else taken[n])
    given = {node: copies[node] for node in nodes if any(user not in inside for user in node.users)}
    outs = tuple(given.values())
    made.output(outs if always_return_tuple or len(outs) != 1 else outs[0])
    made.lint()
    fused, _ = lift_subgraph_as_module(gm, made, comp_name="", class_name=module_name)
    return fused, tuple(taken), tuple(given)


def insert_subgm(gm, sub_gm, orig_inputs, orig_outputs, insertion_point=None):
    """Calls the submodule in place of the nodes that gave the outputs."""
    name = type(sub_gm).__name__
    gm.add_submodule(name, sub_gm)
    if insertion_point is None:
        insertion_point = next((node for node in reversed(gm.graph.nodes) if node in orig_outputs), None)
        if insertion_point is None:
            raise AssertionError(
                "Cannot determine insertion point: no insertion_point provided and orig_outputs is empty. Pass the last partition node "
                "as insertion_point."
            )
    with gm.graph.inserting_after(insertion_point):
        call = gm.graph.call_module(name, args=orig_inputs, kwargs=None)
    if not orig_outputs:
        return gm
    with gm.graph.inserting_before(call.next):
        if len(orig_outputs) == 1 and not isinstance(sub_gm.graph.output_node().args[0], tuple):
            orig_outputs[0].replace_all_uses_with(call, propagate_meta=True)
        else:
            for i, output in enumerate(orig_outputs):
                output.replace_all_uses_with(torch.fx.Proxy(call)[i].node, propagate_meta=True)
            call.meta["val"] = tuple(output.meta.get("val") for output in orig_outputs)
    return gm


def erase_nodes(gm, nodes):
    for node in reversed(nodes):
        gm.graph.erase_node(node)


def fuse_by_partitions(gm, partitions, prefix="fused_", always_return_tuple=False):
    for i, partition in enumerate(partitions):
        nodes = topo_sort(list(partition))
        fused, inputs, outputs = fuse_as_graphmodule(
            gm, nodes, f"{prefix}{i}", partition, always_return_tuple=always_return_tuple
        )
        insert_subgm(gm, fused, inputs, outputs, nodes[-1])
        erase_nodes(gm, nodes)
    stable_topological_sort(gm)
    gm.graph.lint()
    return gm


__getattr__ = _partial.of_pytorch(__name__)
