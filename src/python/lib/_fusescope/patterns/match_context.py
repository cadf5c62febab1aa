"""MatchContext and FailedMatch for user-defined `_match` and handlers. The engine does the matching."""
import weakref

from .. import bridge, wire

patterns = weakref.WeakValueDictionary()  # by id


class FailedMatch(RuntimeError):
    """The reason why a pattern did not match. Falsy, so that results can be tested."""

    def __init__(self, format_string, *args, **kwargs):
        self.format_string = format_string
        # A reason without format arguments, from user code or the engine.
        if len(format_string) > 200:
            raise RuntimeError(f"Format string too long - use lazy construction of strings instead. Format string is\n {format_string}")
        self.args, self.kwargs = args, kwargs

    def __str__(self):
        return self.format_string.format(*self.args, **self.kwargs)

    def __bool__(self):
        return False


def failed(reason):
    made = FailedMatch("{}")
    made.args = (reason,)
    return made


bridge.exceptions["FailedMatch"] = failed


class MatchContext:
    """The bindings of patterns to nodes so far, in one attempt."""

    def __init__(self, outputs, pattern_to_node=None, *, graph):
        self.outputs, self.graph = list(outputs), graph
        bound = [[_data(p), wire.encode(n)] for p, n in (pattern_to_node or {}).items()]
        self._number = bridge.call("match_context", [o and _data(o) for o in outputs], bound, graph._table.number)

    @classmethod
    def _numbered(cls, number, graph, outputs=()):
        self = object.__new__(cls)
        self._number, self.graph, self.outputs = number, graph, list(outputs)
        return self

    def match(self, pattern, node):
        """Matches a pattern at a node or an argument. Returns a Match or a FailedMatch."""
        return self._asked("match_in", pattern, node)

    def _builtin(self, pattern, node):
        return self._asked("match_builtin", pattern, node)

    def _asked(self, kind, pattern, node):
        from .match import Match

        made = bridge.call(kind, self._number, _data(pattern), wire.encode(node))
        return failed(made["failed"]) if "failed" in made else Match._found(self, pattern, made)

    @property
    def pattern_to_node(self):
        table, bound = self.graph._table, bridge.call("match_bindings", self._number)
        return {patterns[i]: table.decode(node) for i, node in bound if i in patterns}

    def filter_multi_user_patterns(self):
        return {p: n for p, n in self.pattern_to_node.items() if p.has_multiple_users() and n is not None}


def _data(pattern):
    from .pattern_data import to_data

    return to_data(pattern)


def result_data(result):
    """The result of a `_match`, as data for the engine."""
    from .match import Match

    if isinstance(result, Match):
        kwargs = [[k, wire.encode(v)] for k, v in result.kwargs.items()]
        return {"nodes": [n._key for n in result.nodes], "args": [wire.encode(a) for a in result.args], "kwargs": kwargs}
    return {"failed": str(result)}
