"""torch.fx.passes.infra.partitioner: the largest parts of a graph that a backend takes, as submodules."""

import collections
import itertools
import operator

from torch.fx.node import _get_qualified_name
from torch.fx.passes.utils.fuser_utils import fuse_by_partitions

_NOT_COMPUTE = {"torch.ops.aten.view", "_operator.getitem"}


class Partition:
    def __init__(self, id=None, nodes=None, node_orders=None):
        self.id = id
        names = list(nodes or ())
        self.nodes = dict(zip(names, node_orders if node_orders is not None else itertools.repeat(None)))

    def __repr__(self):
        return str(self.nodes)

    def add_node(self, node, node_order=None):
        self.nodes[node] = node_order

    def remove_node(self, node):
        del self.nodes[node]

    def size(self):
        return len(self.nodes)


class _DependencyViewer:
    """All nodes that depend on a node."""

    def __init__(self, graph_module):
        self.downstreams = collections.defaultdict(set)
        for node in reversed(graph_module.graph.nodes):
            for user in node.users:
                self.downstreams[node] |= {user, *self.downstreams[user]}

    def downstreams_of(self, node):
        return self.downstreams[node]


class _Proposal:
    """The partitions so far; nodes join in reverse order, and two partitions become one if no path leaves and returns."""

    def __init__(self, viewer):
        self.viewer = viewer
        self.owner, self.parts, self.rank = {}, {}, {}  # node → id; id → Partition; id → its order
        self.users, self.below = (
            {},
            collections.defaultdict(set),
        )  # id → users of its nodes; id → partitions that depend on it

    def begin(self, node, order, id):
        self.owner[node], self.rank[id] = id, id
        self.parts[id] = Partition(id, [node], [order])
        self.users[id] = set(node.users)
        self.below[id] |= self._reached(node.users, {id})

    def move(self, node, id):
        if node in self.owner:
            self.parts[self.owner[node]].remove_node(node)
        if id is None:
            self.owner.pop(node)
        else:
            self.owner[node] = id
            self.parts[id].add_node(node)

    def _reached(self, nodes, without):
        found = set()
        for node in nodes:
            for each in (node, *self.viewer.downstreams_of(node)):
                if each in self.owner:
                    found |= {self.owner[each], *self.below[self.owner[each]]}
        return found - without

    def _cycle(self, users, one, other):
        inside = self.parts[one].nodes.keys() | self.parts[other].nodes.keys()
        for node in users:
            for each in (node, *self.viewer.downstreams_of(node)):
                if each in inside or (each in self.owner and self.below[self.owner[each]] & {one, other}):
                    return True
        return False

    def merge(self, one, other):
        """The id of the merged partition; `one` if they stay apart."""
        users = (self.users[one] | self.users[other]) - self.parts[one].nodes.keys() - self.parts[other].nodes.keys()
        if self._cycle(users, one, other):
            return one
        kept, gone = (one, other) if self.parts[one].size() >= self.parts[other].size() else (other, one)
        self.parts[kept].nodes.update(self.parts[gone].nodes)
        self.owner.update(dict.fromkeys(self.parts.pop(gone).nodes, kept))
        self.rank[kept] = min(self.rank[kept], self.rank.pop(gone))
        self.below[kept] |= self.below.pop(gone)
        self.users[kept] = users
        self.users.pop(gone)
        self.below[kept] |= self._reached(users, {kept, gone})
        self.below[kept] -= {kept, gone}
        return kept


class CapabilityBasedPartitioner:
    def __init__(
        self,
        graph_module,
        operator_support,
        allows_single_node_partition=False,
        non_compute_ops=None,
        allowed_single_node_partition_ops=None,
        skip_horizontal_fusion=False,
    ):
        self.graph_module, self.operator_support = graph_module, operator_support
        self.allows_single_node_partition, self.non_compute_ops = allows_single_node_partition, non_compute_ops or []
        self.allowed_single_node_partition_ops = allowed_single_node_partition_ops or []
        self.skip_horizontal_fusion = skip_horizontal_fusion
        self.dependency_viewer = _DependencyViewer(graph_module)

    def _is_node_supported(self, node):
        return self.operator_support.is_node_supported(dict(self.graph_module.named_modules()), node)

    def propose_partitions(self):
        made, ids = _Proposal(self.dependency_viewer), itertools.count()
        for order, node in enumerate(reversed(self.graph_module.graph.nodes)):
            candidates = {}
            if self._is_node_supported(node) and node not in made.owner:
                id = next(ids)
                made.begin(node, order, id)
                candidates[id] = None
            if not self.skip_horizontal_fusion:
                candidates.update(dict.fromkeys(id for id, _ in sorted(made.rank.items(), key=operator.itemgetter(1))))
            elif candidates:
                candidates.update(dict.fromkeys(made.owner[user] for user in node.users if user in made.owner))
            first, *others = candidates or [None]
            for other in others:
                first = made.merge(first, other)
        for part in made.parts.values():
            part.nodes = dict(sorted(part.nodes.items(), key=operator.itemgetter(1), reverse=True))
        self._join_getitems(made)
        parts = made.parts.values()
        if not self.allows_single_node_partition:
            parts = [part for part in parts if self._computes(part) > 1]
        return [part for part in parts if part.size() > 0]

    def _join_getitems(self, made):
        """The getitems of a node go where it goes."""
        while True:
            moves = {}
            for node in self.graph_module.graph.nodes:
                if all(
                    user.op == "call_function" and _get_qualified_name(user.target) == "_operator.getitem"
                    for user in node.users
                ):
                    id = made.owner.get(node)
                    moves.update({user: id for user in node.users if made.owner.get(user) != id})
            if not moves:
                return
            for node, id in moves.items():
                made.move(node, id)

    def _computes(self, part):
        names = [_get_qualified_name(node.target) for node in part.nodes if node.op == "call_function"]
        skipped = {*_NOT_COMPUTE, *self.non_compute_ops}
        return sum((name not in skipped) + (name in self.allowed_single_node_partition_ops) for name in names)

    def fuse_partitions(self, partitions, prefix="fused_"):
        return fuse_by_partitions(self.graph_module, [part.nodes for part in partitions], prefix=prefix)

    def remove_bookend_non_compute_ops(self, partitions):
        """Takes the operators that compute nothing off both ends of each partition."""
        skipped = set(self.non_compute_ops)
        ends = ({}, {})

        def at_end(side, node, inside, removed):
            if node.op == "placeholder" or node not in inside or node in removed:
                return True
            if node not in ends[side]:
                beyond = node.users if side else node.all_input_nodes
                plain = node.op == "call_function" and _get_qualified_name(node.target) in skipped
                ends[side][node] = plain and all(at_end(side, each, inside, removed) for each in beyond)
            return ends[side][node]

        for part in partitions:
            inside, removed = set(part.nodes), set()
            for node in part.nodes:
                if node.op == "call_function" and _get_qualified_name(node.target) in skipped:
                    if at_end(0, node, inside, removed) or at_end(1, node, inside, removed):
                        removed.add(node)
            for node in removed:
                part.nodes.pop(node, None)

    def partition_and_fuse(self, prefix="fused_"):
        return self.fuse_partitions(self.propose_partitions(), prefix=prefix)
