"""The wrappers that give a mutating operator a functional face in the graph."""
from torch._ops import ops

auto_functionalized = ops.higher_order.auto_functionalized
auto_functionalized_v2 = ops.higher_order.auto_functionalized_v2
