"""torch.fx.experimental.normalize: the graph with each call's arguments as keywords."""

import operator

from _fusescope import partial_modules as _partial

from ..interpreter import Transformer
from ..node import Node, map_aggregate
from ..operator_schemas import normalize_function
from ..proxy import Proxy


def _type_of(arg):
    return arg.meta.get("type") if isinstance(arg, Node) else type(arg)


class NormalizeArgs(Transformer):
    def __init__(self, module, normalize_to_only_use_kwargs=True):
        super().__init__(module)
        self.normalize_to_only_use_kwargs = normalize_to_only_use_kwargs
        self.node_map = {}

    def run_node(self, n):
        if n.op == "call_function":
            args, kwargs = self.fetch_args_kwargs_from_env(n)
            made = self.call_function(n.target, args, kwargs, *map_aggregate((n.args, n.kwargs), _type_of))
        else:
            made = super().run_node(n)
        if n.op != "output" and isinstance(made, Proxy):
            self.node_map[made] = n
            made.node.meta = n.meta
            made.node.type = n.type
        return made

    def call_function(self, target, args, kwargs, arg_types=None, kwarg_types=None):
        known = None
        if target is not operator.getitem:
            known = normalize_function(target, args, kwargs, arg_types, kwarg_types, self.normalize_to_only_use_kwargs)
        if known is None:
            return super().call_function(target, args, kwargs)
        return self.tracer.create_proxy("call_function", target, *known)


__getattr__ = _partial.of_pytorch(__name__, listed=False)
