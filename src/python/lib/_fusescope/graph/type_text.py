"""The text of a type annotation in a graph: `torch.Tensor`, `int`."""

import builtins
import sys
import types
from typing import Any


def type_text(kind: Any) -> str:
    if isinstance(kind, str):
        return kind
    if isinstance(kind, type) and not isinstance(kind, types.GenericAlias):
        if kind.__module__ == "builtins":
            return kind.__qualname__
        return f"{kind.__module__}.{kind.__qualname__}"
    if kind is ...:
        return "..."
    return kind.__name__ if isinstance(kind, types.FunctionType) else repr(kind)


def type_of(text: str | None) -> Any:
    """The class that an annotation of the graph's text names; an annotation of another form stays text."""
    first, *rest = (text or "").split(".")
    found = vars(builtins).get(first) if not rest else sys.modules.get(first)
    for name in rest:
        found = getattr(found, name, None)
    return found if isinstance(found, type) else text
