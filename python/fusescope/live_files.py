"""Which texts of a live page's files may run in the process, and the question about others."""

from __future__ import annotations

import hashlib
import itertools
from collections.abc import Iterator

from .report import clean

# Of a question: file names, and rows of what changed.
NAMES = 8
ROWS = 40
COLUMNS = 160


class Allowed:
    """The texts that somebody allowed in the process, or typed in the page from one of these."""

    def __init__(self) -> None:
        self._texts: dict[str, set[str]] = {}
        # For the question: what each file held when it ran last.
        self._latest: dict[str, str] = {}
        # Allowed before a file came: those that come first are the process's own.
        self._first = False

    def allow(self, files: dict[str, str] | None) -> None:
        """`files` may run; None: the first that come, as far as the page has them from the process."""
        if files is None:
            self._first = True
        else:
            self._first = False
            self._add(files)

    def covers(self, files: dict[str, str], typed: list[str]) -> bool:
        """True if each of `files` may run. `typed`: names of the files that the page has from the process, with edits of its user."""
        known = set(files) if self._first else set(self._texts)
        if any(digest(text) not in self._texts.get(name, ()) and not (name in typed and name in known) for name, text in files.items()):
            return False
        self._first = False
        self._add(files)
        return True

    def question(self, files: dict[str, str]) -> tuple[str, str, bool]:
        """Names of the files that may not run yet, what changed in them, and whether that is all: both are short enough to read."""
        asked = [name for name, text in files.items() if digest(text) not in self._texts.get(name, ())]
        names = ", ".join(clean(name)[:80] for name in asked[:NAMES])
        if len(asked) > NAMES:
            names += f" and {len(asked) - NAMES} more"
        lines = [line for name in asked for line in _changed(name, self._latest.get(name), files[name])]
        # Code after many blanks would be out of sight: a long line is wrapped, not cut.
        rows = list(itertools.islice((row for line in lines for row in _wrapped(clean(line))), ROWS + 1))
        whole = len(rows) <= ROWS
        if not whole:
            rows[ROWS:] = [f"… and more: {len(lines)} lines, {sum(map(len, lines))} characters in all"]
        return names or "these files", "\n".join(rows), whole

    def _add(self, files: dict[str, str]) -> None:
        for name, text in files.items():
            self._texts.setdefault(name, set()).add(digest(text))
            self._latest[name] = text


def _wrapped(line: str) -> Iterator[str]:
    return (line[i : i + COLUMNS] for i in range(0, len(line) or 1, COLUMNS))


def digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def _changed(name: str, before: str | None, after: str) -> list[str]:
    """The lines between the first and the last that differ; in linear time, because a stranger may have written them."""
    if before is None:
        return [f"{name} is new here, {after.count(chr(10)) + 1} lines:", *(f"+ {line}" for line in after.split("\n"))]
    old, new = before.split("\n"), after.split("\n")
    start = 0
    while start < min(len(old), len(new)) and old[start] == new[start]:
        start += 1
    end = 0
    while end < min(len(old), len(new)) - start and old[-1 - end] == new[-1 - end]:
        end += 1
    gone, come = old[start : len(old) - end], new[start : len(new) - end]
    head = f"{name} was changed from elsewhere, in line {start + 1}:"
    # The new lines come first: they are what would run.
    return [head, *(f"+ {line}" for line in come), *(f"- {line}" for line in gone)]
