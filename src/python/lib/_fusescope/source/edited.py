"""Gives the functions of loaded files the code of edited texts, so that only the patterns whose traces ran what changed are traced
again. What ran while the files loaded cannot be edited: what it made would stay as it is."""

import gc
from collections.abc import Iterator
from types import CodeType, FunctionType

from .. import workspace_files
from . import compiled, followed, user_syntax
from .in_place import InPlace

_edits = InPlace()
_made = []  # the functions of the files; a trace makes its own anew
_done = {}  # id of code as it ran → what it does


def edit(files: list) -> list[int] | None:
    """Takes [[file, text], …] over those that ran. Returns the numbers of the functions whose traces ran what changed; None, with nothing
    changed, where only a run of the files shows the changes."""
    new, changed = {}, set()
    for file, text in files:
        old = followed.codes.get(file)
        if old is None or workspace_files.files.get(file) is None:
            return None
        try:
            pairs = list(_pairs(old, compiled.fresh(file, text, "error")))
        except (SyntaxError, ValueError, Warning):
            return None
        if user_syntax.quoted and user_syntax.quotes(workspace_files.files[file]) != user_syntax.quotes(text):
            return None
        for one, other in pairs:
            if other is None or not _same_from_outside(one, other):
                return None
            new[id(one)] = other
            if one != other and _did(one) != _does(other):
                changed.add(id(one))
    if changed & followed.ran:
        return None
    for file, text in files:
        _edits.read_from(file, text)
    if not _made:
        ids = {id(code) for file in followed.codes.values() for code in followed.all_of(file)}
        _made.extend(f for f in gc.get_objects() if type(f) is FunctionType and id(f.__code__) in ids)
    for each in _made:
        if (code := new.get(id(each.__code__))) is not None:
            _edits.give(each, code)
    return [fn for fn, ran in followed.traces.items() if ran & changed]


def undo() -> None:
    """Undoes `edit`."""
    _edits.undo()


def _pairs(old, new) -> Iterator:
    """(old, new) of each function in the code; (old, None) where the functions in it are others."""
    yield old, new
    inner = [[c for c in code.co_consts if isinstance(c, CodeType)] for code in (old, new)]
    if [c.co_qualname for c in inner[0]] != [c.co_qualname for c in inner[1]]:
        yield old, None
        return
    for one, other in zip(*inner, strict=True):
        yield from _pairs(one, other)


def _same_from_outside(old, new):
    """A registration holds the place of its functions, their parameters, and the text of a lambda."""
    if old.co_name == "<lambda>" and _did(old) != _does(new):
        return False
    count = old.co_argcount + old.co_kwonlyargcount + 2
    return (
        old.co_firstlineno == new.co_firstlineno
        and old.co_flags == new.co_flags
        and (old.co_argcount, old.co_posonlyargcount, old.co_kwonlyargcount)
        == (new.co_argcount, new.co_posonlyargcount, new.co_kwonlyargcount)
        and old.co_varnames[:count] == new.co_varnames[:count]
        and (old.co_freevars, old.co_cellvars) == (new.co_freevars, new.co_cellvars)
    )


def _did(code):
    if id(code) not in _done:
        _done[id(code)] = _does(code)
    return _done[id(code)]


def _does(code):
    """What a code object does itself, with its lines and without the functions in it."""
    consts = [(type(c), repr(c)) for c in code.co_consts if not isinstance(c, CodeType)]
    lines = [line for _, _, line in code.co_lines()]
    return code.co_code, consts, code.co_names, code.co_varnames, code.co_exceptiontable, lines
