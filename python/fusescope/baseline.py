"""`fusescope baseline` and `fusescope check`: what recorded runs matched, as a small text file that people review, and
what a later run lost. The command line of Node writes and reads the same form for graphs without a run
(src/cli/baseline/baseline_text.ts)."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any
from xml.sax.saxutils import quoteattr

from .capture import Application, Capture, Refused, write
from .report import clean, counted, misses, nearest_lines, without_commands

FIRST_LINE = "fusescope baseline 1"
EXPECTED = "what fusescope baseline wrote"

Key = tuple[str, ...]  # graph, then the names of the pass


@dataclass
class Counts:
    """Matches by graph and pass, in the order of the run; None for a pass that raised."""

    of: dict[Key, int | None] = field(default_factory=dict)
    graphs: list[str] = field(default_factory=list)
    applications: dict[Key, list[tuple[Capture, Application]]] = field(default_factory=dict)


def counts_of(paths: Iterable[str]) -> Counts:
    """Of the recordings of one run: a file, or one for each rank."""
    found = Counts()
    captures = [Capture(p) for p in paths]
    for capture in captures:
        rank = f"rank {capture.header['rank']} " if len(captures) > 1 and "rank" in capture.header else ""
        names: dict[int, str] = {}
        for application in capture.applications.values():
            if application.run not in names:
                names[application.run] = _unused(f"{rank}{application.compile or f'graph {application.run}'}", found.graphs)
            key = (names[application.run], capture.pass_name(application.matcher_pass))
            before = found.of.get(key, 0)
            failed = application.error is not None or before is None
            found.of[key] = None if failed else before + (application.count or 0)  # type: ignore[operator]
            found.applications.setdefault(key, []).append((capture, application))
    return found


def _unused(name: str, names: list[str]) -> str:
    """One compilation has several graphs: the second is `0/0 #2`."""
    free = next(n for i in range(1, len(names) + 2) if (n := name if i == 1 else f"{name} #{i}") not in names)
    names.append(free)
    return free


def baseline_text(counts: Counts) -> str:
    lines = [FIRST_LINE]
    for graph in counts.graphs:
        own = [("!" if n is None else str(n), key[1:]) for key, n in counts.of.items() if key[0] == graph]
        width = max(len(mark) for mark, _ in own)
        lines += ["", f"graph {_word(graph)}", *(f"  {mark:>{width}}  {'  '.join(map(_word, names))}" for mark, names in own)]
    return "\n".join(lines) + "\n"


def _word(name: str) -> str:
    """Two names never have one word."""
    plain = name.isprintable()
    if plain and re.fullmatch(r'[^\s"#\\]+', name) and clean(name) == name:
        return name
    return without_commands(json.dumps(name, ensure_ascii=not plain), "\\u%04x")


def read_baseline(path: str) -> dict[Key, int | None]:
    try:
        with open(path, encoding="utf-8") as file:
            lines = file.read().splitlines()
    except (OSError, UnicodeDecodeError) as e:
        raise Refused(f"{path}: {getattr(e, 'strerror', None) or 'this is no UTF-8 text'}; expected {EXPECTED}.") from None
    if not lines or lines[0] != FIRST_LINE:
        raise Refused(f'{path}:1: this is not a baseline; expected {EXPECTED}, which begins "{FIRST_LINE}".')
    found: dict[Key, int | None] = {}
    graph: str | None = None
    graphs: set[str] = set()
    for number, line in enumerate(lines[1:], 2):
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        try:
            words = [json.loads(w) if w.startswith('"') else w for w in _split(line)]
        except ValueError:
            raise Refused(f"{path}:{number}: this line has a broken name; expected words, or JSON strings.") from None
        if words[0] == "graph" and len(words) == 2:
            graph = words[1]
            if graph in graphs:
                raise Refused(f"{path}:{number}: the graph {_word(graph)} is listed twice.")
            graphs.add(graph)
        elif re.fullmatch(r"\d{1,9}|!", words[0]) and graph is not None and 2 <= len(words) <= 3:
            if (graph, *words[1:]) in found:
                raise Refused(f"{path}:{number}: the pass {' '.join(map(_word, words[1:]))} is listed twice for this graph.")
            found[(graph, *words[1:])] = None if words[0] == "!" else int(words[0])
        else:
            raise Refused(f'{path}:{number}: expected "graph NAME" or "COUNT PASS", found {line.strip()!r}.')
    return found


def _split(line: str) -> Iterator[str]:
    """Words and JSON strings; nothing follows a string without an end."""
    for found in re.finditer(r'"(?:[^"\\]|\\.)*"|[^\s"]+|"', line):
        yield found.group()
        if found.group() == '"':
            return


@dataclass
class Loss:
    key: Key
    text: str
    why: list[str]

    @property
    def place(self) -> str:
        graph, *names = self.key
        return f"{' '.join(names)} on {graph}" if names else graph


def losses(before: dict[Key, int | None], now: Counts) -> list[Loss]:
    """Passes that match less often, raise, or are gone, with the nearest place of each."""
    found, missing = [], {}
    for key, was in before.items():
        own = now.applications.get(key, [])
        errors = [a.error for _, a in own if a.error is not None]
        if key not in now.of:
            if key[0] not in now.graphs:
                missing.setdefault(key[0], Loss((key[0],), "this graph was not compiled", []))
            elif was != 0:
                found.append(Loss(key, f"{_matches(was)} before; the pass did not go over this graph", []))
        elif was is not None and now.of[key] is None:
            found.append(Loss(key, f"{_matches(was)} before; it raised {errors[0]}", []))
        elif was is not None and now.of[key] < was:  # type: ignore[operator]
            found.append(Loss(key, f"{was} → {_matches(now.of[key])}", _why(own)))
    return [*missing.values(), *found]


def _matches(n: int | None) -> str:
    return "an error" if n is None else counted(n, "match", "matches")


def _why(own: list[tuple[Capture, Application]]) -> list[str]:
    for capture in dict.fromkeys(c for c, _ in own):
        found = misses(capture, [a for c, a in own if c is capture])
        if found:
            return nearest_lines(capture, found)
    return []


def check(before: dict[Key, int | None], now: Counts) -> tuple[list[Loss], list[str]]:
    """What is lost, and the lines for a terminal."""
    lost = losses(before, now)
    pairs = f"{counted(len(before), 'count')} of the baseline"
    counts, graphs = sum(len(x.key) > 1 for x in lost), sum(len(x.key) == 1 for x in lost)
    absent = f"; {counted(graphs, 'graph is', 'graphs are')} missing" if graphs else ""
    lines = [f"Lost: {counts} of {pairs}{absent}." if lost else f"Nothing is lost: {pairs} {'holds' if len(before) == 1 else 'hold'}."]
    for loss in lost:
        lines += [f"  {loss.place}: {loss.text}", *(f"    {w}" for w in loss.why)]
    more = [
        f"  {' '.join(k[1:])} on {k[0]}: {_matches(n)}, {_matches(before[k]) if k in before else 'new'} before"
        if k in before
        else f"  {' '.join(k[1:])} on {k[0]}: new, {_matches(n)}"
        for k, n in now.of.items()
        if n is not None and (k not in before or before[k] is None or n > before[k])  # type: ignore[operator]
    ]
    if more:
        lines += ["Not in the baseline; write it again to take it in:", *more]
    return lost, [clean(line) for line in lines]


def junit(before: dict[Key, int | None], lost: list[Loss]) -> str:
    by_key = {loss.key: loss for loss in lost}
    cases = [_case(key[0], " ".join(key[1:]), by_key.get(key)) for key in before]
    cases += [_case("baseline", loss.place, loss) for loss in lost if len(loss.key) == 1]
    suite = f'<testsuite name="fusescope check" tests="{len(cases)}" failures="{len(lost)}">'
    return "\n".join(['<?xml version="1.0" encoding="UTF-8"?>', "<testsuites>", suite, *cases, "</testsuite>", "</testsuites>", ""])


def _case(graph: str, name: str, loss: Loss | None) -> str:
    head = f"<testcase classname={_attribute(graph)} name={_attribute(name)}"
    if loss is None:
        return f"{head}/>"
    return f"{head}><failure message={_attribute(loss.text)}>{_xml(chr(10).join(loss.why))}</failure></testcase>"


def _attribute(text: str) -> str:
    return quoteattr(clean(text))


def _xml(text: str) -> str:
    return "\n".join(map(clean, text.split("\n"))).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def markdown(lines: list[str], lost: list[Loss]) -> str:
    def cell(text: str) -> str:
        return re.sub(r"[\\`*_{}\[\]<>#|~&@]|:(?=//)|(?<=www)\.", r"\\\g<0>", clean(text), flags=re.IGNORECASE)

    rows = [f"| {cell(x.place)} | {'<br>'.join(map(cell, [x.text, *x.why]))} |" for x in lost]
    table = ["", "| pass | change |", "| --- | --- |", *rows] if rows else []
    return "\n".join([f"**fusescope check.** {cell(lines[0])}", *table, ""])


def command(name: str, argv: list[str]) -> int:
    """Exit status 1: something is lost."""
    options: dict[str, str] = {}
    files: list[str] = []
    known = ("--baseline", "--junit", "--markdown") if name == "check" else ()
    rest = iter(argv)
    for word in rest:
        if not word.startswith("--"):
            files.append(word)
        elif word in known and (value := next(rest, None)) is not None:
            options[word] = value
        else:
            raise Refused(f"{name}: unexpected {word!r}; expected recordings{''.join(f', {k} FILE' for k in known)}.")
    if not files:
        raise Refused(f"{name} needs recordings after it; fusescope --help lists all.")
    if name == "baseline":
        print(baseline_text(counts_of(files)), end="")
        return 0
    if "--baseline" not in options:
        raise Refused("check: --baseline FILE is missing.")
    before = read_baseline(options["--baseline"])
    lost, lines = check(before, counts_of(files))
    print("\n".join(lines))
    outputs: list[tuple[str, Any]] = [("--junit", lambda: junit(before, lost)), ("--markdown", lambda: markdown(lines, lost))]
    for option, text in outputs:
        if option in options:
            write(options[option], text())
    return 1 if lost else 0
