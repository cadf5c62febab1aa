"""Passes that a file's text gives to a hook or a compiler, also in functions that nothing calls."""

import ast
import functools

from .. import frames

BACKEND = "backend"


def named(modules: list, hooks: tuple) -> list[tuple]:
    """[(hook, value)]: what the modules' code assigns to one of these hooks of a configuration, and the backends that it gives
    to torch.compile. Only values that can be found without running a function: names, attributes, calls of a class without arguments."""
    found = []
    for module in modules:
        text = frames.sources.get(getattr(module, "__file__", None), "")
        if not any(hook in text for hook in (*hooks, f"{BACKEND}=")):
            continue
        for hook, expression, bound in _places(text, hooks):
            found += [(hook, value) for value in _values(expression, vars(module), bound)]
    return found


@functools.cache
def _places(text, hooks):
    """[(hook, expression, names that the functions around it bind)]."""
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return []
    return list(_in(tree, hooks, frozenset()))


def _in(node, hooks, bound):
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)):
        bound = bound | _bound_in(node)
    yield from ((hook, value, bound) for hook, value in _given_by(node, hooks))
    for child in ast.iter_child_nodes(node):
        yield from _in(child, hooks, bound)


def _bound_in(function):
    inner = [n for n in ast.walk(function) if n is not function]
    args = [n.arg for n in inner if isinstance(n, ast.arg)]
    names = [n.id for n in inner if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)]
    return frozenset([*args, *names, *(n.name for n in inner if isinstance(n, (ast.FunctionDef, ast.ClassDef)))])


def _given_by(node, hooks):
    """`config.HOOK = value`, `config["HOOK"] = value`, `patch(HOOK=value)`, `setattr(config, "HOOK", value)`, `{"HOOK": value}`."""
    if isinstance(node, ast.Assign):
        for target in node.targets:
            name = (
                target.attr
                if isinstance(target, ast.Attribute)
                else _text(target.slice)
                if isinstance(target, ast.Subscript)
                else None
            )
            if name in hooks:
                yield name, node.value
    elif isinstance(node, ast.Dict):
        yield from ((_text(key), value) for key, value in zip(node.keys, node.values) if _text(key) in hooks)
    elif isinstance(node, ast.Call):
        called = getattr(node.func, "attr", getattr(node.func, "id", None))
        yield from (
            (k.arg, k.value) for k in node.keywords if k.arg in hooks or (k.arg == BACKEND and called == "compile")
        )
        yield from ((_text(a), b) for a, b in zip(node.args, node.args[1:]) if _text(a) in hooks)


def _text(node):
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else None


def _values(node, names, bound):
    if isinstance(node, (ast.List, ast.Tuple)):
        return [value for item in node.elts for value in _values(item, names, bound)]
    called = isinstance(node, ast.Call) and not node.args and not node.keywords
    path = _path(node.func if called else node)
    if path is None or path[0] in bound or path[0] not in names:
        return []
    try:
        value = functools.reduce(lambda found, name: vars(found)[name], path[1:], names[path[0]])
    except (KeyError, TypeError):
        return []
    if isinstance(value, type) != called or not (frames.is_users(value) or frames.is_of_user(value)):
        return []
    return [value]


def _path(node):
    if isinstance(node, ast.Attribute):
        above = _path(node.value)
        return above and [*above, node.attr]
    return [node.id] if isinstance(node, ast.Name) else None
