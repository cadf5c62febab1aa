"""Stack frames and source lines of user code: files below WORKSPACE."""
import inspect
import linecache
import sys
import traceback

WORKSPACE = "/workspace/"

# Text of each file of any run, by its name below WORKSPACE.
sources = {}
_loaded = [0, {}]  # cache: number of loaded modules at the last search, and the user's modules found


def user_place():
    """[file, line, function] of the innermost frame of user code, or None."""
    frame = sys._getframe(1)
    while frame is not None:
        filename = frame.f_code.co_filename
        if filename.startswith(WORKSPACE):
            return [filename[len(WORKSPACE):], frame.f_lineno, frame.f_code.co_name]
        frame = frame.f_back
    return None


def code_at(file, line):
    """The text of a line of the user's, without its indentation."""
    lines = sources.get(WORKSPACE + file, "").splitlines()
    return lines[line - 1].strip() if 0 < line <= len(lines) else ""


def place_of(function):
    """[file, line, name] of a user function, or None."""
    code = inspect.unwrap(function).__code__
    if not code.co_filename.startswith(WORKSPACE):
        return None
    return [code.co_filename[len(WORKSPACE):], code.co_firstlineno, code.co_name]


def is_users(function):
    """True for a user function, decorated or not."""
    code = getattr(inspect.unwrap(function), "__code__", None) if callable(function) else None
    return code is not None and code.co_filename.startswith(WORKSPACE)


def user_modules():
    """The loaded user modules, by file name."""
    count, found = _loaded
    if count != len(sys.modules):
        files = [(getattr(module, "__file__", None) or "", module) for module in list(sys.modules.values())]
        found = {file: module for file, module in files if file.startswith(WORKSPACE)}
        _loaded[:] = len(sys.modules), found
    return found


def user_frames():
    """The frames of user code on the stack, innermost first."""
    frame = sys._getframe(1)
    while frame is not None:
        if frame.f_code.co_filename.startswith(WORKSPACE):
            yield frame
        frame = frame.f_back


def describe(error):
    """An exception as data: class name, message, the user's frames (innermost last) and their traceback."""
    frames = [f for f in traceback.extract_tb(error.__traceback__) if f.filename.startswith(WORKSPACE)]
    places = [[f.filename[len(WORKSPACE):], f.lineno, f.name, f.line] for f in frames]
    lines = []
    if frames:
        lines.append("Traceback (most recent call last):\n")
        lines += [text.replace(f'"{WORKSPACE}', '"') for text in traceback.format_list(frames)]
    if isinstance(error, SyntaxError) and (error.filename or "").startswith(WORKSPACE):
        places.append([error.filename[len(WORKSPACE):], error.lineno or 1, None, (error.text or "").rstrip("\n")])
    lines += [text.replace(f'"{WORKSPACE}', '"') for text in traceback.format_exception_only(error)]
    return {
        "type": type(error).__name__,
        "message": str(error) if not isinstance(error, SyntaxError) else (error.msg or "invalid syntax"),
        "frames": places,
        "traceback": "".join(lines),
    }


def remember_source(name, text):
    """Makes tracebacks quote lines of files that are not in a file system."""
    sources[WORKSPACE + name] = text
    _loaded[0] = 0
    linecache.cache[WORKSPACE + name] = (len(text), None, text.splitlines(True), WORKSPACE + name)
