"""MetaProxy: a proxy whose nodes get values."""
from .proxy import Proxy


class MetaProxy(Proxy):
    """A proxy whose nodes get the value that their call gives over the values of its arguments."""

    def __init__(self, node, tracer=None, fake_mode=None):
        super().__init__(node, tracer)
        self.fake_mode = fake_mode

    def __repr__(self):
        return f"MetaProxy({self.node.name})"

    @classmethod
    def __torch_function__(cls, orig_method, types, args=None, kwargs=None):
        args, kwargs = args or (), kwargs or {}
        first = next(a for a in args if isinstance(a, MetaProxy))
        made = super().__torch_function__(orig_method, types, args, kwargs)
        given = [a.node.meta["val"] if isinstance(a, Proxy) else a for a in args]
        made.node.meta["val"] = orig_method(*given, **kwargs)
        return MetaProxy(made.node, made.tracer, first.fake_mode)
