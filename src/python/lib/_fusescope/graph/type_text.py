"""The text of a type annotation in a graph: `torch.Tensor`, `int`."""

import types
from typing import Any


def type_text(kind: Any) -> str:
    if isinstance(kind, str):
        return kind
    if isinstance(kind, type) and not isinstance(kind, types.GenericAlias):
        if kind.__module__ == "builtins":
            return kind.__qualname__
        module = "torch" if kind.__module__ == "torch._tensor" else kind.__module__
        return f"{module}.{kind.__qualname__}"
    if kind is ...:
        return "..."
    return kind.__name__ if isinstance(kind, types.FunctionType) else repr(kind)
