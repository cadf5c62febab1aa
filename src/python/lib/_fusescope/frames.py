"""Stack frames and source lines of user code: files below WORKSPACE."""

import inspect
import linecache
import sys
import traceback
from collections.abc import Callable, Iterator
from typing import Any

WORKSPACE = "/workspace/"

# Text of each file of any run, by its name below WORKSPACE.
sources = {}
_loaded = [0, {}]  # cache: number of loaded modules at the last search, and the user's modules found


def user_place() -> list | None:
    """[file, line, function] of the innermost frame of user code, or None."""
    frame = sys._getframe(1)
    while frame is not None:
        filename = frame.f_code.co_filename
        if filename.startswith(WORKSPACE):
            return [filename[len(WORKSPACE) :], frame.f_lineno, frame.f_code.co_name]
        frame = frame.f_back
    return None


def user_places(limit: int = 4) -> list[list]:
    """[file, line, function, code] of the innermost frames of user code."""
    found = []
    frame = sys._getframe(1)
    while frame is not None and len(found) < limit:
        filename = frame.f_code.co_filename
        if filename.startswith(WORKSPACE):
            file = filename[len(WORKSPACE) :]
            found.append([file, frame.f_lineno, frame.f_code.co_name, code_at(file, frame.f_lineno)])
        frame = frame.f_back
    return found


def code_at(file: str, line: int) -> str:
    """The text of a line of the user's, without its indentation."""
    return linecache.getline(WORKSPACE + file, line).strip()


def place_of(function: Callable) -> list | None:
    """[file, line, name] of a user function, or None."""
    code = inspect.unwrap(function).__code__
    if not code.co_filename.startswith(WORKSPACE):
        return None
    return [code.co_filename[len(WORKSPACE) :], code.co_firstlineno, code.co_name]


def is_users(function: Any) -> bool:
    """True for a user function, decorated or not."""
    code = getattr(inspect.unwrap(function), "__code__", None) if callable(function) else None
    return code is not None and code.co_filename.startswith(WORKSPACE)


def is_of_user(value: Any) -> bool:
    """True for a class of user code, and for its objects."""
    module = sys.modules.get((value if isinstance(value, type) else type(value)).__module__)
    return (getattr(module, "__file__", None) or "").startswith(WORKSPACE)


def place_of_class(cls: type) -> list | None:
    """[file, line, name] of a user class, or None."""
    file = getattr(sys.modules.get(cls.__module__), "__file__", None) or ""
    if not file.startswith(WORKSPACE):
        return None
    line = getattr(cls, "__firstlineno__", None)
    if line is None:
        lines = sources.get(file, "").splitlines()
        line = next((i for i, text in enumerate(lines, 1) if text.lstrip().startswith(f"class {cls.__name__}")), 1)
    return [file[len(WORKSPACE) :], line, cls.__name__]


def user_modules() -> dict:
    """The loaded user modules, by file name."""
    count, found = _loaded
    if count != len(sys.modules):
        files = [(getattr(module, "__file__", None) or "", module) for module in list(sys.modules.values())]
        found = {file: module for file, module in files if file.startswith(WORKSPACE)}
        _loaded[:] = len(sys.modules), found
    return found


def user_frames() -> Iterator:
    """The frames of user code on the stack, innermost first."""
    frame = sys._getframe(1)
    while frame is not None:
        if frame.f_code.co_filename.startswith(WORKSPACE):
            yield frame
        frame = frame.f_back


MAX_MESSAGE = 10_000  # characters of an exception that cross to the page
MAX_FRAMES = 100


def cut(text: str, limit: int = MAX_MESSAGE) -> str:
    """The text, or its beginning and what was cut."""
    return text if len(text) <= limit else f"{text[:limit]}… ({len(text) - limit:,} more characters)"


def _message(error):
    """str(error), which may raise in a user's class."""
    try:
        return str(error) if not isinstance(error, SyntaxError) else str(error.msg or "invalid syntax")
    except BaseException as e:
        return f"<str() of the exception raised {type(e).__name__}>"


def describe(error: BaseException) -> dict:
    """An exception as data: class name, message, the user's frames (innermost last) and their traceback."""
    frames = [
        f for f in traceback.extract_tb(error.__traceback__, -10 * MAX_FRAMES) if f.filename.startswith(WORKSPACE)
    ][-MAX_FRAMES:]
    places = [[f.filename[len(WORKSPACE) :], f.lineno, f.name, cut(f.line or "", 1000)] for f in frames]
    lines = []
    if frames:
        lines.append("Traceback (most recent call last):\n")
        lines += [text.replace(f'"{WORKSPACE}', '"') for text in traceback.format_list(frames)]
    if isinstance(error, SyntaxError) and (error.filename or "").startswith(WORKSPACE):
        places.append(
            [error.filename[len(WORKSPACE) :], error.lineno or 1, None, cut((error.text or "").rstrip("\n"), 1000)]
        )
    message = _message(error)
    if len(message) > MAX_MESSAGE:
        lines.append(f"{cut(type(error).__name__, 200)}: {cut(message)}\n")
    else:
        lines += [text.replace(f'"{WORKSPACE}', '"') for text in traceback.format_exception_only(error)]
    return {
        "type": cut(type(error).__name__, 200),
        "message": cut(message),
        "frames": places,
        "traceback": cut("".join(lines), 2 * MAX_MESSAGE),
    }


def remember_source(name: str, text: str) -> None:
    """Makes tracebacks quote lines of files that are not in a file system."""
    sources[WORKSPACE + name] = text
    _loaded[0] = 0
    linecache.cache[WORKSPACE + name] = (len(text), None, text.splitlines(True), WORKSPACE + name)
