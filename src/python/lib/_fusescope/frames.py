"""Which lines are the user's: files below WORKSPACE."""
import linecache
import sys
import traceback

WORKSPACE = "/workspace/"


def user_place():
    """[file, line, function] of the innermost frame of user code, or None."""
    frame = sys._getframe(1)
    while frame is not None:
        filename = frame.f_code.co_filename
        if filename.startswith(WORKSPACE):
            return [filename[len(WORKSPACE):], frame.f_lineno, frame.f_code.co_name]
        frame = frame.f_back
    return None


def describe(error):
    """An exception as data: class name, message, the user's frames (innermost last) and the traceback of those."""
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
    """Lets tracebacks quote the line of a file that is in no file system."""
    linecache.cache[WORKSPACE + name] = (len(text), None, text.splitlines(True), WORKSPACE + name)
