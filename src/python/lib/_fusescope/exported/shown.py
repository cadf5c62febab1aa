"""A script's output: names and messages without commands to a terminal or a workflow's runner."""

import contextlib
import json
import logging
import re
import traceback
import warnings

_COMMAND = re.compile(
    r"^\s*:(?=:)|^(?:--|\+\+|~~|\^\^)[-+~^](?=\s|$)|##(?=\w*\[)|travis_(?=(?:fold|time):)"
    r"|<(?=(?:CTest|Dart)[A-Z])|\[(?=\[ATTACHMENT\|)"
)
# Invisible characters: a runner may ignore them when it searches for a command.
_MARKS = re.compile("[\u034f\u17b4\u17b5\u180b-\u180f\ufe00-\ufe0f\U000e0100-\U000e01ef]")


def visible(text):
    """One line."""
    text = "".join(c if c.isprintable() and not _MARKS.match(c) else ascii(c)[1:-1] for c in text)
    return _COMMAND.sub(lambda m: f"{m[0][:-1]}\\x{ord(m[0][-1]):02x}", text)


def visible_lines(text):
    return "\n".join(map(visible, text.split("\n")))


def json_text(value):
    return _COMMAND.sub(lambda m: f"{m[0][:-1]}\\u{ord(m[0][-1]):04x}", json.dumps(value))


def plainly(run, *args):
    """run(*args), with escaped exceptions, warnings and logs: PyTorch quotes the graph in them."""
    __tracebackhide__ = True  # for pytest
    warn, make = warnings.showwarning, logging.getLogRecordFactory()

    def show(message, category, filename, lineno, *rest):
        warn(visible_lines(str(message)), category, visible(str(filename)), lineno, *rest)

    def record(*given, **named):
        made = make(*given, **named)
        with contextlib.suppress(TypeError, ValueError):  # a message that does not fit its arguments
            made.msg, made.args = visible_lines(made.getMessage()), ()
        if made.exc_info and made.exc_info[0]:
            made.exc_text = visible_lines("".join(traceback.format_exception(*made.exc_info)).rstrip())
        return made

    warnings.showwarning = show
    logging.setLogRecordFactory(record)
    try:
        return run(*args)
    except Exception:
        raised = visible_lines(traceback.format_exc().rstrip())
    finally:
        warnings.showwarning = warn
        logging.setLogRecordFactory(make)
    raise RuntimeError(raised)
