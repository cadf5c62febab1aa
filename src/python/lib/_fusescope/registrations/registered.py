"""PatternMatcherPass.patterns for user code. The engine owns the patterns themselves."""

import collections
import re
from typing import Any

from .. import engine
from ..graph.targets import function
from ..patterns.expressions import PatternExpr
from .entries import ReplacementPatternEntry

_STATEMENT = re.compile(r"^(\w+) = ", re.MULTILINE)


class Pattern(PatternExpr):
    """A registered pattern, represented by the text of PatternPrettyPrinter.run and by its repr."""

    def __init__(self, text, shown):
        self._text, self._shown = text, shown

    def pretty_print(self, pp: Any) -> str:
        _, *parts = _STATEMENT.split(self._text)
        *inner, (_, last) = zip(parts[::2], (t.rstrip("\n") for t in parts[1::2]))
        for name, text in inner:
            pp.memoized_objs_names[id(self), name] = name
            pp.memoized_objs_pp[id(self), name] = text
        return last

    def __repr__(self):
        return self._shown


def of(pass_id: int) -> Any:
    """{(op, target): entries}, the entries of a key in the order of attempts."""
    table, known = collections.defaultdict(list), {}
    for op, target, found in engine.patterns(pass_id):
        key = op, function(target) if op == "call_function" else target
        table[key] = [known.setdefault(n, ReplacementPatternEntry(Pattern(text, shown), n)) for n, text, shown in found]
    return table
