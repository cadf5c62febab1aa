"""Sends SubgraphMatcher's searches in a stage to the engine, which explains misses."""

from typing import Any

from .. import bridge, callables, engine, frames
from ..graph import attributes, node_meta
from ..registrations import bindings
from ..source import returned


def traced(graph: Any, root: Any) -> None:
    """Remembers which function a pattern's graph was traced from."""
    if callable(root) and hasattr(root, "__code__"):
        graph._table.function = root


def send(matcher: Any, graph: Any, found: list[list]) -> int | None:
    """Sends one search, before its matches are replaced. `found`: [[match, what dropped it or None]]. Returns its number; None if
    it is not recorded."""
    pattern = matcher.pattern
    if not bridge.recording or pattern._table.number is None:
        return None
    function = pattern._table.function
    facts = bindings.of(function or type(matcher))
    if function is None:
        facts["title"] = getattr(pattern.owning_module, "_class_name", None) or facts["title"]
    number = engine.searched(
        pattern._table.number,
        graph._table.number,
        {
            **facts,
            "source": frames.user_place(),
            "search": None if function is None else callables.lasting_number(function),
            "ignoreLiterals": matcher.ignore_literals,
            "classes": [attributes.classes_of_modules(pattern), attributes.classes_of_modules(graph)],
            "found": [[_pairs(match), [n._key for n in match.returning_nodes], dropped] for match, dropped in found],
        },
    )
    return None if number < 0 else number


def _pairs(match):
    from torch.fx.node import Node

    return [[pn._key, gn._key if isinstance(gn, Node) else None, repr(gn)] for pn, gn in match.nodes_map.items()]


def accepted(number: int | None, match: Any, at: int, filters: list | tuple, *rest: Any) -> bool:
    """True if the filters accept a match, the `at`-th that the search found; a refusal is sent with its return."""
    for accepts in filters:
        if number is None:
            if not accepts(match, *rest):
                return False
            continue
        node_meta.reads()
        answer, returns = returned.watched(accepts, match, *rest)
        if not answer:
            engine.search_refused(number, at, node_meta.reads(), returned.described(returns))
            return False
    return True


def replacing(number: int | None, graph: Any, source: Any) -> None:
    """The graph that replaces the matches."""
    if number is not None and graph is not None:
        function = callables.lasting_number(source) if hasattr(source, "__code__") else None
        engine.search_replacement(number, graph._table.number, function)


def replaced(number: int | None, at: int, added: list, by: list) -> None:
    if number is not None:
        engine.search_replaced(
            number, at, [n._key for n in added], [n._key if hasattr(n, "_key") else None for n in by]
        )
