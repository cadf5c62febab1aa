"""executorch.exir.graph_module: the graphs of branches and loops."""

import torch


def _found(graph_module, bodies):
    """[(attribute, module, the node that uses it)]. `bodies`: operator → positions of its graphs."""
    found = []
    for node in graph_module.graph.nodes:
        for op, positions in bodies.items():
            if node.op == "call_function" and node.target == op:
                for name in (node.args[i].target for i in positions):
                    found.append((name, graph_module.get_submodule(name), node))
    return found


def get_control_flow_submodules(graph_module):
    ops = torch.ops.higher_order
    return _found(graph_module, {ops.cond: [1, 2], ops.map_impl: [0], ops.scan: [0]})


def get_cond_while_submodules(graph_module):
    return _found(graph_module, {torch.ops.higher_order.cond: [1, 2], torch.ops.higher_order.while_loop: [0, 1]})


def get_scan_submodules(graph_module):
    return _found(graph_module, {torch.ops.higher_order.scan: [0]})
