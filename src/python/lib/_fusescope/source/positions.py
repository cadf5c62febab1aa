"""Exact source positions for edits: the expression that called an operator, and a file's syntax tree as data."""

import ast
import functools
from collections.abc import Callable

from .. import callables, frames, wire

_MOST_FRAMES = 6
_LONGEST = 15_000_000  # characters of a tree as JSON: a message has at most 16 million (src/python/bounds.ts)
_SHORT = 200_000  # characters of a text whose tree is never that long
_positions = {}
_plain = frames.user_place


def precise(on: bool) -> None:
    """Turns on or off the recording of the expressions that led to each traced node."""
    _positions.clear()
    frames.user_place = _user_place if on else _plain


def forget() -> None:
    """The code of functions changed."""
    _positions.clear()


def _user_place():
    """[file, line, function, spans]; spans are [file, line, column, end line, end column], innermost first."""
    import sys

    spans, first, frame = [], None, sys._getframe(1)
    while frame is not None and len(spans) < _MOST_FRAMES:
        code = frame.f_code
        if code.co_filename.startswith(frames.WORKSPACE):
            file = code.co_filename[len(frames.WORKSPACE) :]
            first = first or [file, frame.f_lineno, code.co_name]
            spans.append([file, *_span(code, frame.f_lasti)])
        frame = frame.f_back
    return first and [*first, spans]


def _span(code, lasti):
    known = _positions.get(code)
    if known is None:
        known = _positions[code] = list(code.co_positions())
    line, end_line, column, end_column = known[lasti // 2]
    return [line, column, end_line, end_column]


def callable_position(fn: int) -> list | None:
    """[file, first line, name] of a numbered callable's code, or None."""
    return position_of(callables.get(fn))


def position_of(fn: Callable) -> list | None:
    """[file, first line, name] of the code of a user's callable; None for other code."""
    for _ in range(8):
        if isinstance(fn, functools.partial):
            fn = fn.func
        elif hasattr(fn, "__wrapped__"):
            fn = fn.__wrapped__
        elif hasattr(fn, "__func__"):
            fn = fn.__func__
        elif not hasattr(fn, "__code__") and hasattr(type(fn), "__call__"):
            fn = type(fn).__call__
    code = getattr(fn, "__code__", None)
    if code is None or not code.co_filename.startswith(frames.WORKSPACE):
        return None
    return [code.co_filename[len(frames.WORKSPACE) :], code.co_firstlineno, code.co_name]


def syntax(text: str) -> list | None:
    """A module's nodes as [type, [line, column, end line, end column] | None, fields], the module first; a field that
    is a node is {"n": index}. Columns count UTF-8 bytes, as in ast. None if the text does not parse, or its tree is too long to send."""
    try:
        module = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    out, todo, index = [], [module], {module: 0}

    def refer(value):
        if isinstance(value, ast.AST):
            if isinstance(value, (ast.expr_context, ast.operator, ast.unaryop, ast.boolop, ast.cmpop)):
                return type(value).__name__
            if value not in index:
                index[value] = len(todo)
                todo.append(value)
            return {"n": index[value]}
        if isinstance(value, list):
            return [refer(v) for v in value]
        return value

    for node in todo:
        place = None
        if hasattr(node, "lineno"):
            place = [node.lineno, node.col_offset, node.end_lineno, node.end_col_offset]
        if isinstance(node, ast.Constant):
            fields = {"type": type(node.value).__name__, "repr": repr(node.value)}
        else:
            fields = {
                name: refer(value)
                for name, value in ast.iter_fields(node)
                if value is not None and name not in ("type_comment", "type_ignores")
            }
        out.append([type(node).__name__, place, fields])
    return out if len(text) <= _SHORT or len(wire.to_json(out)) <= _LONGEST else None
