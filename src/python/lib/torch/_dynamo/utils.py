"""torch._dynamo.utils: graphs as text, for a log that is written only where it is asked for."""
from _fusescope import stubs


def lazy_format_graph_code(name, gm, maybe_id=None, **kwargs):
    return f"{name}: the panel Pipeline has the graph after each pass"


def __getattr__(name):
    if name.startswith("__"):
        raise AttributeError(name)
    return stubs.missing(__name__, name)
