"""Reads a recording (docs/capture.md): passes, patterns, graphs and attempts."""

from __future__ import annotations

import errno
import gzip
import io
import json
import os
import re
import zlib
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import accumulate
from typing import Any

Json = Any
VERSION = 1
# Bounds of what is read, as in the page (src/engine/capture): ranges of a base graph double it in a few bytes.
DEEPEST, NODES_OF_GRAPH, NODES = 400, 1_000_000, 5_000_000
LARGEST = 512 << 20


class Refused(Exception):
    """What the user gave cannot be used; the text is the sentence to print."""


def write(path: str, text: str) -> None:
    """The file of an option. A checkout of a stranger may hold a link of that name, or of a folder before it, which leads out of
    it: it is not followed. /dev/stdout is a link too."""
    device = path.startswith("/dev/") and not path.startswith("/dev/shm/")
    here, place = os.path.join(os.getcwd(), ""), os.path.abspath(path)
    folder = os.path.join(os.path.realpath(os.path.dirname(place)), "")
    if not device and place.startswith(here) and not folder.startswith(os.path.join(os.path.realpath(here), "")):
        raise Refused(f"{path}: its folder is a link out of the current folder; name the folder that it leads to.")
    flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | (0 if device else getattr(os, "O_NOFOLLOW", 0))
    try:
        with open(os.open(path, flags, 0o666), "w", encoding="utf-8", errors="backslashreplace") as file:
            file.write(text)
    except OSError as e:
        why = "this is a link, and output is never written through links" if e.errno == errno.ELOOP else e.strerror or e
        raise Refused(f"{path}: {why}.") from None


def _names(value: Json) -> list[str]:
    """Names of the nodes in an argument."""
    if isinstance(value, dict):
        name = value.get("node")
        return [name] if isinstance(name, str) else [n for v in value.values() for n in _names(v)]
    return [n for v in value for n in _names(v)] if isinstance(value, list) else []


def inputs_of(node: Json) -> list[str]:
    """Names of the nodes that a node uses, each once."""
    return list(dict.fromkeys([*_names(node["args"]), *_names(list(node.get("kwargs", {}).values()))]))


# What reading JSON of an unexpected form raises.
MALFORMED = (KeyError, TypeError, ValueError, IndexError, AttributeError, RecursionError)
_NAMES = {int: "a whole number", str: "text", list: "a list", dict: "an object", bool: "true or false", type(None): "null"}


def _field(record: Json, key: str, *kinds: type) -> Json:
    """The value of a field of one of these types; a field that is absent is null."""
    value = record.get(key)
    # JSON has exact types: true is no number.
    if type(value) not in kinds:
        found = _NAMES.get(type(value), "a number")
        raise ValueError(f"{key} is {found}, expected {' or '.join(_NAMES[k] for k in kinds)}")
    return value


def _optional(record: Json, key: str, kind: type) -> Json:
    return _field(record, key, kind, type(None))


def _list_of(record: Json, key: str, *kinds: type) -> None:
    """Checks a list whose items have these types in turn; a single type is that of each item. It may be absent."""
    items = _optional(record, key, list) or []
    wanted = kinds if len(kinds) > 1 else kinds * len(items)
    if items and [type(x) for x in items] != list(wanted):
        raise ValueError(f"{key} has items of unexpected types")


def _checked_node(node: Json) -> Json:
    if not isinstance(node, dict):
        raise ValueError("a node is no object")
    for key in ("name", "op", "target"):
        _field(node, key, str)
    _field(node, "args", list)
    if "kwargs" in node:
        _field(node, "kwargs", dict)
    _list_of(node, "at", str, int, str, str)
    return node


@dataclass
class Application:
    """One call of PatternMatcherPass.apply."""

    number: int
    matcher_pass: int
    run: int
    compile: str | None
    before: int | None
    attempts: list[Json] = field(default_factory=list)
    count: int | None = None
    error: str | None = None

    def matched_nodes(self) -> set[str]:
        """The nodes of all matches that were applied: an attempt at one of them is no miss."""
        return {name for a in self.attempts if a.get("applied") for name in a["nodes"]}


class Capture:
    """A recording as the recorder wrote it, with graphs by id."""

    def __init__(self, path: str) -> None:
        self.path = os.path.abspath(path)
        self.header: Json = {}
        self.passes: dict[int, Json] = {}
        self.entries: dict[int, Json] = {}
        self.traces: dict[int, Json] = {}
        self.graphs: dict[int, list[Json]] = {}
        self.applications: dict[int, Application] = {}
        self.schemas: dict[str, str] = {}
        self.notes: list[str] = []
        self.left_out: Json = {}
        self._nodes = 0
        self._named: tuple[int, dict[str, Json]] = (-1, {})  # the last graph that was asked for, by name
        self._users: tuple[dict[str, Json], Counter[str]] = ({}, Counter())  # of that graph
        readers = {
            "capture": self._header,
            "pass": self._pass,
            "entry": self._entry,
            "trace": self._trace,
            "operator": self._operator,
            "note": self._note,
            "left-out": self._left_out,
            "graph": self._graph,
            "apply": self._apply,
            "attempt": self._attempt,
            "applied": self._applied,
        }
        for line, record in _records(path):
            if not self.header and record.get("record") != "capture":
                break
            try:
                readers.get(str(record.get("record")), bool)(record)
            except MALFORMED as e:
                why = f"application {e} has no record" if isinstance(e, KeyError) else e
                raise Refused(f"{path}:{line}: the record cannot be read: {why}.") from None
        if not self.header:
            raise Refused(f"{path} is not a recording: its first line is not a `capture` record.")

    def _header(self, record: Json) -> None:
        if record.get("v") != VERSION:
            raise Refused(f"{self.path} has version {record.get('v')!r} of the format; this Fusescope reads {VERSION}.")
        self.header = record

    def _pass(self, record: Json) -> None:
        _optional(record, "passName", str)
        _list_of(record, "variable", str, str)
        _list_of(record, "holder", str, str, str)
        self.passes[_field(record, "id", int)] = record

    def _entry(self, record: Json) -> None:
        _optional(record, "title", str)
        _optional(record, "pattern", dict)
        functions = _optional(record, "functions", dict) or {}
        for name in functions:
            place = _field(functions, name, dict)
            _field(place, "name", str)
            _optional(place, "file", str)
            _optional(place, "line", int)
        self.entries[_field(record, "id", int)] = record

    def _trace(self, record: Json) -> None:
        for node in _field(_field(record, "graph", dict), "nodes", list):
            _checked_node(node)
        self.traces[_field(record, "id", int)] = record

    def _operator(self, record: Json) -> None:
        self.schemas[_field(record, "target", str)] = _field(record, "schema", str)

    def _note(self, record: Json) -> None:
        self.notes.append(_field(record, "text", str))

    def _left_out(self, record: Json) -> None:
        self.left_out = record

    def _graph(self, record: Json) -> None:
        base = self.graphs.get(_optional(record, "base", int), [])
        nodes: list[Json] = []
        for item in _field(record, "nodes", list):
            if isinstance(item, list):
                start, count = item
                if not (type(start) is type(count) is int and 0 <= start and 0 <= count <= len(base) - start):
                    raise ValueError("nodes has a range that its base lacks")
                if len(nodes) + count > min(NODES_OF_GRAPH, NODES - self._nodes):
                    raise ValueError(f"more than {NODES_OF_GRAPH:,} nodes, or {NODES:,} in all graphs")
                nodes.extend(base[start : start + count])
            else:
                nodes.append(_checked_node(item))
        self._nodes += len(nodes)
        self.graphs[_field(record, "id", int)] = nodes

    def _apply(self, record: Json) -> None:
        number, matcher_pass, run = (_field(record, key, int) for key in ("id", "pass", "run"))
        compile, before = _optional(record, "compile", str), _optional(record, "before", int)
        self.applications[number] = Application(number, matcher_pass, run, compile, before)

    def _attempt(self, record: Json) -> None:
        application = self.applications[_field(record, "apply", int)]
        _field(record, "entry", int)
        _field(record, "node", str)
        _field(record, "ok", bool)
        if record.get("applied"):
            _field(record, "nodes", list)
        _list_of(record, "nodes", str)
        if (second := _optional(record, "second", dict)) is not None:
            _field(second, "ok", bool)
            _optional(second, "reason", str)
            _optional(second, "trace", int)
        if (dropped := _optional(record, "dropped", dict)) is not None:
            _field(dropped, "why", str)
        application.attempts.append(record)

    def _applied(self, record: Json) -> None:
        application = self.applications[_field(record, "apply", int)]
        count, error = _optional(record, "count", int), _optional(record, "error", str)
        if count is not None and not 0 <= count < 1 << 53:
            raise ValueError("count is no number of matches")
        application.count, application.error = count, error

    def nodes_before(self, application: Application) -> dict[str, Json]:
        """The graph that a pass was given, by name of node."""
        before = -1 if application.before is None else application.before
        if self._named[0] != before:
            self._named = (before, {n["name"]: n for n in self.graphs.get(before, [])})
        return self._named[1]

    def users_before(self, application: Application) -> Counter[str]:
        """The number of nodes that use each node of that graph."""
        nodes = self.nodes_before(application)
        if self._users[0] is not nodes:
            self._users = (nodes, Counter(name for node in nodes.values() for name in inputs_of(node)))
        return self._users[1]

    def pass_name(self, number: int) -> str:
        """A name by which the user knows the pass."""
        found = self.passes.get(number, {})
        variable, holder = found.get("variable"), found.get("holder")
        return str(found.get("passName") or (variable and variable[-1]) or (holder and holder[1]) or f"pass {number}")

    def entry_place(self, number: int) -> Json:
        """Name, file and line of the function that defines a pattern."""
        entry = self.entries.get(number, {})
        functions = entry.get("functions", {})
        place = functions.get("search") or functions.get("handler") or functions.get("replace")
        name = entry.get("title") or (place and place["name"].rsplit(".", 1)[-1]) or f"pattern {number}"
        return {"name": name, "file": place and place.get("file"), "line": place and place.get("line")}


_NO_BRACKET = re.compile(r'"(?:[^"\\]|\\.)*"?|[^\[\]{}"]+')
_STEPS = {"[": 1, "{": 1, "]": -1, "}": -1}


def _depth(line: str) -> int:
    """How deep lists and objects nest, before the parser recurses into them."""
    if line.count("[") + line.count("{") <= DEEPEST:
        return 0
    return max(accumulate(_STEPS[c] for c in _NO_BRACKET.sub("", line)))


def _unzipped(data: bytes) -> bytes:
    """A few MB of gzip hold as many GB."""
    with gzip.GzipFile(fileobj=io.BytesIO(data)) as file:
        text = file.read(LARGEST + 1)
    if len(text) > LARGEST:
        raise OSError(f"unpacked, it has more than {LARGEST >> 20} MiB")
    return text


def _records(path: str) -> Iterator[tuple[int, Json]]:
    """Line numbers and records."""
    try:
        with open(path, "rb") as file:
            data = file.read()
        text = (_unzipped(data) if data[:2] == b"\x1f\x8b" else data).decode("utf-8", "replace")
    except (OSError, EOFError, zlib.error) as e:
        raise Refused(f"{path}: {getattr(e, 'strerror', None) or e}.") from None
    # Not splitlines: JSON's strings may hold what Python takes for the end of a line, such as U+2028.
    lines = text.removesuffix("\n").split("\n") if text else []
    for i, line in enumerate(lines):
        if _depth(line) > DEEPEST:
            raise Refused(f"{path}:{i + 1}: the line nests deeper than {DEEPEST} levels; expected a recording.")
        try:
            record = json.loads(line)
        except ValueError:
            if i == len(lines) - 1 and i > 0:
                return  # after a crash the last line may be cut
            raise Refused(f"{path}:{i + 1}: the line is not JSON; expected a recording.") from None
        if isinstance(record, dict):
            yield i + 1, record
