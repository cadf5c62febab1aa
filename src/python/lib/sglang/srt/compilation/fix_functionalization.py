"""sglang.srt.compilation.fix_functionalization: replaces auto_functionalized (v1) by calls that write their arguments."""

import operator

from torch._higher_order_ops.auto_functionalize import auto_functionalized

from .fx_utils import is_func
from .inductor_pass import SGLangInductorPass


class FixFunctionalizationPass(SGLangInductorPass):
    """Each node becomes a call of its operator, and users of a copy use the argument. Dead code must not be removed afterwards."""

    def __call__(self, graph):
        self.begin()
        for node in graph.find_nodes(op="call_function", target=auto_functionalized):
            self._defunctionalize(graph, node)
        self.end_and_log()

    def _defunctionalize(self, graph, node):
        op = node.args[0]
        written = [a.name for a in op._schema.arguments if a.alias_info is not None and a.alias_info.is_write]
        returns = len(op._schema.returns) or 1  # results come first; None for an operator without results
        with graph.inserting_before(node):
            graph.call_function(op, kwargs=dict(node.kwargs))
        for user in list(node.users):
            if is_func(user, operator.getitem) and user.args[1] >= returns:
                user.replace_all_uses_with(node.kwargs[written[user.args[1] - returns]])
                graph.erase_node(user)
        if not node.users:
            graph.erase_node(node)
