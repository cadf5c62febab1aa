"""The `return` that ended a call of user code, with the values of the names that decided it."""

import ast
import functools
import re
import sys
from collections.abc import Callable, Iterator
from typing import Any

from .. import environment, frames


def watched(fn: Callable, *args: Any) -> tuple:
    """fn(*args), and the returns of falsy values by the user's frames below it, outermost last."""
    from torch import SymBool

    returns = []

    def note(frame, event, value):
        if (
            event == "return"
            and (value is False or value is None or (isinstance(value, SymBool) and not value))
            and frame.f_code.co_filename.startswith(frames.WORKSPACE)
        ):
            returns.append((frame, frame.f_lineno))

    before = sys.getprofile()
    sys.setprofile(note)
    try:
        return fn(*args), returns
    finally:
        sys.setprofile(before)


def described(returns: list[tuple]) -> dict:
    """The innermost return that the outermost only passes on: {file, line, code, values, decided, symbols};
    None without one."""
    if not returns:
        return None
    at = len(returns) - 1
    while True:
        frame, line = returns[at]
        found = _expression(frame, line)
        if not isinstance(found, ast.Call) or at == 0 or returns[at - 1][0].f_back is not frame:
            break
        at -= 1
    place = {
        "file": frame.f_code.co_filename[len(frames.WORKSPACE) :],
        "line": line,
        "code": None,
        "values": [],
        "decided": None,
        "symbols": [],
    }
    if found is None:
        return place
    branch = _branch(found, frame) if isinstance(found, ast.Constant) else None
    part = _decisive(found, frame) if branch is None else branch
    if branch is not None and _asks_for_none(branch):  # the code says the value
        return {**place, "code": f"if {ast.unparse(branch)}"}
    values, symbols = {}, set()
    for node in leaves(part):
        value = _value(node, frame)
        if value is not None and value != ast.unparse(node):
            values[ast.unparse(node)] = value
            symbols |= _symbols(node, frame)
    code = ast.unparse(part)
    place.update(code=code if branch is None else f"if {code}", values=[list(v) for v in values.items()][:6])
    place["decided"] = with_values(part, values)
    place["symbols"] = sorted(symbols)
    return place


def with_values(part: ast.expr, values: dict[str, str]) -> str | None:
    """`4 == 5` for `x.dim() == 5`, a comparison with the values of what it reads; None for another expression."""
    if not isinstance(part, ast.Compare) or not values:
        return None
    return ast.unparse(_Values(values).visit(ast.parse(ast.unparse(part), mode="eval").body))


def _expression(frame, line):
    """The returned expression, if the line has one of them."""
    of_lambda = frame.f_code.co_name == "<lambda>"
    found = [
        n
        for n in _ends(frames.sources.get(frame.f_code.co_filename, ""))
        if isinstance(n, ast.Lambda if of_lambda else ast.Return) and n.lineno <= line <= n.end_lineno
    ]
    if of_lambda:
        return found[0].body if len(found) == 1 else None
    return min(found, key=lambda n: n.end_lineno - n.lineno).value if found else None


def _asks_for_none(node):
    """`x is None`"""
    return (
        isinstance(node, ast.Compare)
        and len(node.ops) == 1
        and isinstance(node.ops[0], ast.Is)
        and isinstance(node.comparators[0], ast.Constant)
        and node.comparators[0].value is None
    )


@functools.lru_cache(maxsize=64)
def _ends(text):
    """The lambdas and returns of a file. Cached, because a pattern refuses many matches of one graph."""
    try:
        return [n for n in ast.walk(ast.parse(text)) if isinstance(n, (ast.Lambda, ast.Return))]
    except SyntaxError:
        return []


def _decisive(node, frame):
    """The first false part of `a and b`, if its parts can be read without a call."""
    if isinstance(node, ast.BoolOp) and isinstance(node.op, ast.And):
        for part in node.values:
            if not is_plain(part):
                return node
            if not evaluated(part, frame):
                return _decisive(part, frame)
    return node


def _branch(returned, frame):
    """The condition under which a constant is returned, where the values still say that it holds; None without one."""
    test = _condition(returned, frames.sources.get(frame.f_code.co_filename, ""))
    if test is None or not is_plain(test):
        return test
    try:
        return _reason(test, frame) if evaluated(test, frame) else None
    except Exception:
        return None


def _reason(test, frame):
    """The first true part of `a or b`."""
    if isinstance(test, ast.BoolOp) and isinstance(test.op, ast.Or):
        return next(_reason(part, frame) for part in test.values if evaluated(part, frame))
    return test


@functools.lru_cache(maxsize=256)
def _condition(returned, text):
    """Cached like _ends, which gives the same node for the same text."""
    for statement in ast.walk(ast.parse(text)):
        for name in ("body", "orelse"):
            block = getattr(statement, name, None)
            ends = [i for i, s in enumerate(block) if _returns(s, returned)] if isinstance(block, list) else []
            if not ends:
                continue
            if isinstance(statement, ast.If):
                return statement.test if name == "body" else _not(statement.test)
            before = block[ends[0] - 1] if ends[0] > 0 else None
            left = isinstance(before, ast.If) and not before.orelse and isinstance(before.body[-1], ast.Return)
            return _not(before.test) if left else None
    return None


def _returns(statement, returned):
    value = statement.value if isinstance(statement, ast.Return) else None
    return value is not None and (value.lineno, value.col_offset) == (returned.lineno, returned.col_offset)


def _not(test):
    return (
        test.operand if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not) else ast.UnaryOp(ast.Not(), test)
    )


_PLAIN = (
    ast.Name,
    ast.Attribute,
    ast.Subscript,
    ast.Constant,
    ast.Compare,
    ast.UnaryOp,
    ast.BoolOp,
    ast.Tuple,
    ast.List,
    ast.Slice,
    ast.expr_context,
    ast.cmpop,
    ast.unaryop,
    ast.boolop,
)


_READ = (ast.Name, ast.Attribute, ast.Subscript, ast.Call)

# Calls that change nothing.
_QUERIES = frozenset("dim size numel is_contiguous stride len isinstance".split())


def is_plain(node: ast.expr) -> bool:
    """True if it is evaluated without a call that may change something."""
    return all(
        isinstance(n, _PLAIN) or isinstance(n, ast.Call) and _called(n.func) in _QUERIES and not n.keywords
        for n in ast.walk(node)
    )


def _called(func):
    return func.attr if isinstance(func, ast.Attribute) else getattr(func, "id", None)


def evaluated(node: ast.expr, frame: Any) -> Any:
    code = compile(ast.fix_missing_locations(ast.Expression(node)), "<value>", "eval")
    return eval(code, frame.f_globals, frame.f_locals)


def leaves(node: ast.expr) -> Iterator:
    """The largest parts of an expression that can be read: names, attributes, items, queries."""
    if isinstance(node, _READ) and is_plain(node):
        yield node
        return
    if isinstance(node, ast.Call):
        for part in [*node.args, *(k.value for k in node.keywords)]:
            yield from leaves(part)
        return
    if isinstance(node, (ast.GeneratorExp, ast.ListComp, ast.SetComp, ast.DictComp, ast.Lambda)):
        return
    for part in ast.iter_child_nodes(node):
        yield from leaves(part)


def _value(node, frame):
    try:
        text = repr(evaluated(node, frame))
    except Exception:
        return None
    return text if len(text) <= 80 and "\n" not in text and " at 0x" not in text else None


def _symbols(node, frame):
    """The symbols in a value to which the environment gives none."""
    from torch.fx.experimental.symbolic_shapes import free_symbols

    try:
        sizes = " ".join(free_symbols(evaluated(node, frame)))
        return set(re.findall(r"\b[su]\d+\b", sizes)) - {name for name, _ in environment.hints()}
    except Exception:
        return set()


class _Values(ast.NodeTransformer):
    def __init__(self, values):
        self.values = values

    def visit(self, node):
        known = self.values.get(ast.unparse(node)) if isinstance(node, _READ) else None
        return ast.Name(known) if known is not None else self.generic_visit(node)
