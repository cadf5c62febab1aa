"""What a condition of user code reads: its values as text, the node that it asks about, the operators that it asks for. It runs none of
the user's code."""

import ast
import itertools
import types
from collections.abc import Callable
from typing import Any

from .. import frames
from ..graph import dialects
from ..graph.targets import fn_name
from ..stubs import Stub
from . import returned

_MOST_ITEMS = 1000  # of a list that are looked at, and targets that a condition asks for
_LONGEST = 120  # characters of a value


def tried(read: Callable, *args: Any) -> Any:
    """None where it raises."""
    try:
        return read(*args)
    except Exception:
        return None


def example(node: ast.expr, frame: Any) -> str | None:
    """A comparison with the values of what it reads."""
    values = {ast.unparse(leaf): _text(value) for leaf, value in _values(node, frame)}
    return returned.with_values(node, {text: value for text, value in values.items() if value is not None})


def _values(node, frame):
    """(leaf, value) of what an expression reads, without the user's own properties: they would run twice."""
    for leaf in returned.leaves(node):
        try:
            if not _runs_code(leaf, frame):
                yield leaf, returned.evaluated(leaf, frame)
        except Exception:
            continue


def only_reads(node: ast.expr, frame: Any) -> bool:
    """True if a second evaluation runs no user code."""
    return all(
        not _runs_code(leaf, frame) and not _holds_users(returned.evaluated(leaf, frame))
        for leaf in returned.leaves(node)
    )


def _holds_users(value):
    """True for an instance of a user's class, and for a container that may hold one, whose comparison compares its items."""
    if not isinstance(value, (list, tuple, set, frozenset, dict)):
        return frames.is_of_user(value)
    return len(value) > _MOST_ITEMS or any(map(frames.is_of_user, value))


def _runs_code(leaf, frame):
    for node in ast.walk(leaf):
        if isinstance(node, (ast.Attribute, ast.Subscript, ast.Call)):
            value = returned.evaluated(node.func if isinstance(node, ast.Call) else node.value, frame)
            plain = isinstance(node, ast.Attribute) and not _is_computed(type(value), node.attr)
            if frames.is_of_user(value) and not plain:
                return True
    return False


def _is_computed(cls, name):
    own = [vars(k) for k in cls.__mro__ if frames.is_of_user(k)]
    return any("__getattr__" in k or "__getattribute__" in k for k in own) or hasattr(
        next((k[name] for k in own if name in k), None), "__get__"
    )


def _text(value):
    """An operator by its name, also in a list; None for what is long or raises."""
    if isinstance(value, (str, bytes, list, tuple, set, frozenset, dict)) and len(value) > _LONGEST:
        return None
    text = tried(_list_text if isinstance(value, (list, tuple, set, frozenset)) else _short_text, value)
    return None if text is None or len(text) > _LONGEST else text


def _list_text(value, inner=False):
    # Deeper lists may be the outer one, or the same one a thousand times.
    items = (
        ("[…]" if inner else _list_text(v, True)) if isinstance(v, (list, tuple, set, frozenset)) else _short_text(v)
        for v in value
    )
    return f"[{', '.join(itertools.islice(items, _LONGEST))}]"


def _short_text(value):
    if _holds_users(value):
        return f"<{type(value).__name__}>"
    name = _target(value)
    return repr(value) if name is None else dialects.shown(name)


def node_of(names: list[str], frame: Any) -> Any:
    """The node in the first name that holds one."""
    from torch.fx.node import Node

    held = frame.f_locals
    return next((held[name] for name in names if isinstance(held.get(name), Node)), None)


def wanted(node: ast.expr, frame: Any) -> list[str]:
    """All targets that the code asks for; none where there are more than are looked at, because part of them proves nothing."""
    found = tried(_wanted, node, frame) or []
    return found if len(found) <= _MOST_ITEMS else []


def _wanted(node, frame):
    """The targets in the values that an expression reads and that are no node's. In a comparison they stand at the right; at the left
    is what is asked: `target is torch.relu`."""
    if isinstance(node, ast.Compare):
        right = [name for each in node.comparators for name in _wanted(each, frame)]
        if right or any(isinstance(each, ast.Constant) for each in node.comparators):
            return right
    if isinstance(node, ast.Call):  # any(user.target == torch.relu for user in node.users)
        compared = [each for each in ast.walk(node) if isinstance(each, ast.Compare)]
        if compared:
            return list(dict.fromkeys(name for each in compared for name in _wanted(each, frame)))
    found = {}
    for leaf, value in _values(node, frame):
        if isinstance(leaf, ast.Attribute) and leaf.attr == "target" and node_of([_root(leaf)], frame) is not None:
            continue
        several = isinstance(value, (list, tuple, set, frozenset, dict))
        if several and len(value) > _MOST_ITEMS:
            raise ValueError("too long")
        for each in value if several else [value]:
            if (name := _target(each)) is not None:
                found[name] = None
    return list(found)


def _root(node):
    while isinstance(node, (ast.Attribute, ast.Subscript)):
        node = node.value
    return node.id if isinstance(node, ast.Name) else ""


def _target(value):
    """`aten.add.Tensor` for an operator or a function of torch and operator; None for another value."""
    from torch._ops import OpOverload, OpOverloadPacket

    # A stub has every attribute; a user's class may compute it.
    if isinstance(value, Stub) or frames.is_of_user(value):
        return None
    module = getattr(value, "__module__", None)
    module = module if isinstance(module, str) else ""
    is_operator = isinstance(value, (OpOverload, OpOverloadPacket)) or hasattr(value, "_op")  # of a dialect
    is_function = isinstance(value, (types.FunctionType, types.BuiltinFunctionType, types.MethodDescriptorType))
    if not is_operator and not (is_function and module.startswith(("torch", "_operator", "operator", "math"))):
        return None
    try:
        return fn_name(value)
    except Exception:
        return None
