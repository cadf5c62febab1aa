"""MatchContext and FailedMatch for user-defined `_match` and handlers. The engine does the matching."""

import weakref
from typing import Any

from .. import bridge, engine, wire

to_data = None  # pattern_data sets it: it imports this module
patterns = weakref.WeakValueDictionary()  # by id


class FailedMatch(RuntimeError):
    """The reason why a pattern did not match. Falsy, so that results can be tested."""

    def __init__(self, format_string, *args, **kwargs):
        self.format_string = format_string
        # A reason without format arguments, from user code or the engine.
        if len(format_string) > 200:
            raise RuntimeError(
                f"Format string too long - use lazy construction of strings instead. Format string is\n {format_string}"
            )
        self.args, self.kwargs = args, kwargs

    def __str__(self):
        return self.format_string.format(*self.args, **self.kwargs)

    def __bool__(self):
        return False


def failed(reason: str) -> "FailedMatch":
    made = FailedMatch("{}")
    made.args = (reason,)
    return made


bridge.exceptions["FailedMatch"] = failed


class MatchContext:
    """The bindings of patterns to nodes so far, in one attempt."""

    _new_match = None  # makes a Match, whose module imports this one

    def __init__(self, outputs, pattern_to_node=None, *, graph):
        self.outputs, self.graph = list(outputs), graph
        bound = [[to_data(p), wire.encode(n)] for p, n in (pattern_to_node or {}).items()]
        self._number = engine.match_context([o and to_data(o) for o in outputs], bound, graph._table.number)

    @classmethod
    def _numbered(cls, number, graph, outputs=()):
        self = object.__new__(cls)
        self._number, self.graph, self.outputs = number, graph, list(outputs)
        return self

    def match(self, pattern: Any, node: Any) -> Any:
        """Matches a pattern at a node or an argument. Returns a Match or a FailedMatch."""
        return self._asked(engine.match_in, pattern, node)

    def _builtin(self, pattern, node):
        return self._asked(engine.match_builtin, pattern, node)

    def _asked(self, call, pattern, node):
        made = call(self._number, to_data(pattern), wire.encode(node))
        return failed(made["failed"]) if "failed" in made else self._new_match(self, pattern, made)

    @property
    def pattern_to_node(self) -> dict:
        table, bound = self.graph._table, engine.match_bindings(self._number)
        return {patterns[i]: table.decode(node) for i, node in bound if i in patterns}

    def filter_multi_user_patterns(self) -> dict:
        return {p: n for p, n in self.pattern_to_node.items() if p.has_multiple_users() and n is not None}
