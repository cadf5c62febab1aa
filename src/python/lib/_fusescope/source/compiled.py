"""Code and syntax facts of files that the engine keeps from one run to the next, by their texts.

They are made before any user code runs, so that no run can change those of a later one.
"""

import binascii
import marshal
import warnings
from types import CodeType

from .. import frames
from . import user_syntax

_LONGEST = 8_000_000  # characters of a file that is kept: half of a message (src/python/bounds.ts)
_codes = {}  # file → code that is not yet executed
_compile = compile  # a patch of builtins by an earlier file applies neither to made nor to kept code


def make(file: str, text: str) -> str:
    """A file compiled, as text. None if compiling raises or warns, because each run then shows that anew, and for a file that
    is too long to be kept."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            made = marshal.dumps((_code_of(file, text), user_syntax.facts_of(text)))
        text = binascii.b2a_base64(made, newline=False).decode()
        return text if len(text) <= _LONGEST else None
    except Exception:
        return None


def take(file: str, text: str, made: str | None) -> None:
    """Uses what `make` returned for this file and text in an earlier run."""
    _codes[file], facts = marshal.loads(binascii.a2b_base64(made))
    user_syntax.remember(text, facts)


def code(file: str, text: str) -> CodeType:
    """The code of a file."""
    return _codes.pop(file, None) or _code_of(file, text)


def fresh(file: str, text: str, warned: str = "ignore") -> CodeType:
    """The code of a text. `warned`: what becomes of a warning."""
    with warnings.catch_warnings():
        warnings.simplefilter(warned)
        return _code_of(file, text)


def _code_of(file, text):
    return _compile(text, frames.WORKSPACE + file, "exec", dont_inherit=True)
