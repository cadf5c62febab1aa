"""What to change for a near miss, in a sentence: where the pattern's file has the value that differs.

Nothing here ran: the page and the command line of Node try a change before they call it a fix.
"""

from __future__ import annotations

import ast
import linecache
import os
import re
import stat
import sys
from typing import Any

from .align import Users, text_of
from .capture import Capture

Json = Any
LARGEST = 4 << 20  # bytes of a source


def repair(capture: Capture, attempt: Json, alignment: Any, fires: int = 0) -> str | None:
    """None: the difference is not a single value or use, or less than half of the pattern aligns.

    `fires`: matches of the pattern as it is; they stay only if another is registered beside it.
    """
    first = alignment.differences[0] if alignment.differences else None
    if first is None or alignment.aligned * 2 < alignment.total:
        return None
    entry = capture.entries.get(attempt["entry"], {})
    if isinstance(first, Users):
        return f"return {first.node} from the pattern and its replacement too, because the graph uses it elsewhere"
    if not first.is_value or not _computes_nothing(first.graph):
        return None
    for name, value in (entry.get("bindings") or {}).items():
        if value == first.pattern:
            return f"register the pattern {'once more ' if fires else ''}with {name} = {first.graph} (it has {value})"
    functions = entry.get("functions", {})
    times = sum(d.is_value and (d.pattern, d.graph) == (first.pattern, first.graph) for d in alignment.differences)
    search, replace = (_place(functions.get(key), first.pattern, times) for key in ("search", "replace"))
    places = [p for p in (search, replace) if p is not None]
    if search is None:
        return None
    where = " and ".join(dict.fromkeys(places))
    if fires:
        return f"register the pattern once more with {first.graph} for {first.pattern} in {where}"
    return f"write {first.graph} for {first.pattern} in {where}"


def _computes_nothing(text: str) -> bool:
    """False for a value that would be code in the pattern's file: anybody may have written the recording."""
    if re.fullmatch(r"[\w.:+-]*", text):  # 1e-05, torch.float32, cuda:0
        return True
    try:
        return all(isinstance(n, _PLAIN) for n in ast.walk(ast.parse(text, mode="eval")))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False


_PLAIN = (ast.Expression, ast.Constant, ast.List, ast.Tuple, ast.UnaryOp, ast.BinOp, ast.Name, ast.Attribute)
_PLAIN += (ast.operator, ast.unaryop, ast.expr_context)


def _place(function: Json, value: str, times: int) -> str | None:
    """`search (fusion.py:20)`: where a function, or a variable of its file that it reads, has the value: once, or as often as it differs."""
    if not function or not function.get("file"):
        return None
    from .report import short

    try:
        tree = ast.parse(_source(function["file"]))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    name, line = function["name"].rsplit(".", 1)[-1], function.get("line") or 0
    kinds = (ast.FunctionDef, ast.Lambda)
    named = [n for n in ast.walk(tree) if isinstance(n, kinds) and getattr(n, "name", "<lambda>") == name]
    around = [n for n in named if _first_line(n) <= line <= (n.end_lineno or n.lineno)]
    if not around:
        return None
    inside = list(ast.walk(around[-1]))
    found = [(name, n.lineno) for n in inside if isinstance(n, _VALUES) and _text(n) == value]
    if not found:
        read = {n.id for n in inside if isinstance(n, ast.Name)}
        assigned = [n for n in tree.body if isinstance(n, ast.Assign) and _text(n.value) == value]
        found = [(t.id, n.lineno) for n in assigned for t in n.targets if isinstance(t, ast.Name) and t.id in read]
    if len(found) not in (1, times):
        return None
    lines = " and ".join(map(str, sorted({at for _, at in found})))
    again = f", {times} times" if len(found) > 1 else ""
    return f"{found[0][0]} ({short(function['file'])}:{lines}{again})"


def _source(file: str) -> str:
    """
    Of a file that the recording names, which anybody may have written: one of this process, or below the current folder. Another is not
    even looked at: a pipe waits, and a folder of another machine asks it.
    """
    known = file.startswith("<") or file in linecache.cache  # a cell of a notebook
    if known or any(getattr(module, "__file__", None) == file for module in list(sys.modules.values())) or _is_below(file):
        return "".join(linecache.getlines(file))
    return ""


def _is_below(file: str) -> bool:
    """True for a file of the current folder that no link leads to: `link/../x` is opened through the link."""
    folder = os.getcwd()
    path = os.path.abspath(file) if "\0" not in file and ".." not in re.split(r"[/\\]", file) else ""
    if not path.startswith(os.path.join(folder, "")):
        return False
    try:
        for part in os.path.relpath(path, folder).split(os.sep):
            folder = os.path.join(folder, part)
            found = os.lstat(folder)
            if stat.S_ISLNK(found.st_mode):
                return False
    except OSError:
        return False
    return stat.S_ISREG(found.st_mode) and found.st_size <= LARGEST


_VALUES = (ast.Constant, ast.UnaryOp, ast.Attribute, ast.List, ast.Tuple)


def _first_line(node: Any) -> int:
    return min([node.lineno, *(d.lineno for d in getattr(node, "decorator_list", []))])


def _text(node: ast.expr) -> str:
    """As the difference shows the value; nothing for what nests too deep."""
    try:
        return text_of(ast.literal_eval(node))
    except (RecursionError, MemoryError):
        return ""
    except (ValueError, TypeError):
        try:
            return ast.unparse(node)
        except RecursionError:
            return ""
