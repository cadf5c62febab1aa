"""What a run recorded, as text for a terminal: passes, counts, and near misses with PyTorch's reason, grouped."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Callable

from .align import Alignment, alignment
from .capture import Application, Capture

Json = Any
SHOWN_GROUPS, SHOWN_REASON = 5, 200

DROPPED = {
    "extra-check": "extra_check returned False",
    "mutation-regions": "its nodes are on both sides of a mutation",
    "streams": "its nodes are on different streams or memory pools",
    "arguments": "an argument rules it out before the re-trace",
    "trace": "the re-trace raised",
}


@dataclass
class Miss:
    """One place at which a pattern was tried and not applied."""

    capture: Capture
    application: Application
    attempt: Json
    alignment: Alignment

    @property
    def score(self) -> tuple[float, int]:
        a = self.alignment
        return (a.aligned / a.total if a.total else 0.0, a.aligned)

    def reason(self) -> str:
        """PyTorch's own words."""
        second, dropped = self.attempt.get("second"), self.attempt.get("dropped")
        if "raised" in self.attempt:
            return f"raised {self.attempt['raised']}"
        if second and not second["ok"]:
            return str(second.get("reason"))
        if dropped:
            text = dropped.get("text")
            return str(DROPPED.get(dropped["why"], dropped["why"])) + (f" {text}" if text else "")
        return str(self.attempt.get("reason", "no reason was recorded"))

    def cut_reason(self) -> str:
        """A FailedMatch prints whole patterns."""
        text = self.reason()
        return text if len(text) <= SHOWN_REASON else f"{text[:SHOWN_REASON]}…"

    def place(self) -> str:
        return place_of(self.capture.nodes_before(self.application).get(self.attempt["node"], {"name": self.attempt["node"]}))

    def difference(self) -> str | None:
        found = self.alignment.differences
        return str(found[0]) if found else None


# `::name::` at the begin of a line, and `##[name]` anywhere, command the runner of a GitHub workflow.
_COMMAND = re.compile(r"^(\s*):(?=:)|(#)#(?=\[)")

# Letters that look like a space.
_BLANKS = "\u115f\u1160\u2800\u3164\uffa0"


def clean(text: str) -> str:
    """A line of a recording for a terminal: control characters cannot act there, nor commands in a workflow."""
    plain = "".join(c if c.isprintable() and c not in _BLANKS else " " if c in "\n\t" else ascii(c)[1:-1] for c in text)
    return _COMMAND.sub(lambda m: "#\\x23" if m[2] else f"{m[1]}\\x3a", plain)


def short(file: str | None) -> str:
    if not file:
        return "?"
    relative = os.path.relpath(file) if os.path.isabs(file) and os.path.splitdrive(file)[0] == "" else file
    return file if relative.startswith("..") else relative


def place_of(node: Json) -> str:
    """`add_3 (model.py:12, in forward: return x + y)`."""
    at = node.get("at")
    if not at:
        return str(node["name"])
    code = f": {at[3]}" if at[3] else ""
    return f"{node['name']} ({short(at[0])}:{at[1]}, in {at[2]}{code})"


def pattern_place(capture: Capture, entry: int) -> str:
    place = capture.entry_place(entry)
    return f"{place['name']} ({short(place['file'])}:{place['line']})" if place["file"] else str(place["name"])


def misses(capture: Capture, applications: Iterable[Application], wanted: Callable[[int], bool] = lambda _: True) -> list[Miss]:
    """The places that were tried and failed, each with the pattern that aligns best there, best first. A place inside
    a match of the pass is none."""
    found = []
    for application in applications:
        inside = application.matched_nodes()
        for attempt in application.attempts:
            if attempt.get("applied") or attempt["node"] in inside or not wanted(attempt["entry"]):
                continue
            found.append(Miss(capture, application, attempt, alignment(capture, application, attempt)))
    # Where two align alike, the one that passed stage one is nearer.
    found.sort(key=lambda m: (m.score, bool(m.attempt["ok"])), reverse=True)
    best: dict[tuple[int, str], Miss] = {}
    for miss in found:
        best.setdefault((miss.application.number, miss.attempt["node"]), miss)
    return list(best.values())


def _groups(found: list[Miss]) -> list[list[Miss]]:
    groups: dict[tuple[int, str], list[Miss]] = {}
    for miss in found:
        # Names of nodes differ from layer to layer by their number.
        alike = re.sub(r"_\d+\b", "", f"{miss.difference()} {miss.reason()}")
        groups.setdefault((miss.attempt["entry"], alike), []).append(miss)
    return list(groups.values())


def counted(n: int, one: str, many: str | None = None) -> str:
    return f"{n} {one if n == 1 else many or one + 's'}"


def nearest_lines(capture: Capture, miss: Miss, places: int) -> list[str]:
    """The nearest of several places: where, how far, and why not."""
    a = miss.alignment
    graph = miss.application.compile or miss.application.run
    lines = [f"nearest place (of {places}): {miss.place()}, graph {graph}", f"{a.aligned} of {counted(a.total, 'node')} align"]
    lines += map(str, a.differences[:3])
    if a.differences:
        at = capture.nodes_before(miss.application).get(a.differences[0].node, {}).get("at")
        lines += [f"  {at[0]}:{at[1]}, in {at[2]}: {at[3]}"] if at else []
    lines.append(f"PyTorch: {miss.cut_reason()}")
    place = capture.entry_place(miss.attempt["entry"])
    lines.append(f"pattern: {pattern_place(capture, miss.attempt['entry']) if place['file'] else place['name']}")
    return lines


def _pass_lines(capture: Capture, number: int, applications: list[Application]) -> list[str]:
    total = sum(a.count or 0 for a in applications)
    graphs = len({a.run for a in applications})
    lines = [f"  {capture.pass_name(number)}: {counted(total, 'match', 'matches')} in {counted(graphs, 'graph')}"]
    lines += [f"    raised in graph {a.compile or a.run}: {a.error}" for a in applications if a.error]
    found = misses(capture, applications)
    near = [m for m in found if m.alignment.aligned > 1 or m.alignment.total <= 2]
    groups = _groups(near)
    for group in groups[:SHOWN_GROUPS]:
        best = group[0]
        a = best.alignment
        lines.append(
            f"    {len(group)} × {pattern_place(capture, best.attempt['entry'])}: {a.aligned} of {counted(a.total, 'node')} align"
        )
        if best.difference():
            lines.append(f"        {best.difference()}")
        lines.append(f"        PyTorch: {best.cut_reason()}")
        lines.append(f"        at {best.place()}")
    if len(groups) > SHOWN_GROUPS:
        lines.append(f"    and {counted(len(groups) - SHOWN_GROUPS, 'more kind')} of near misses")
    if rest := len(found) - len(near):
        lines.append(f"    and {counted(rest, 'place')} where only the pattern's last operator aligns")
    return lines


def report(path: str) -> str:
    """The whole report of one recording."""
    capture = Capture(path)
    applications = list(capture.applications.values())
    by_pass: dict[int, list[Application]] = {}
    for application in applications:
        by_pass.setdefault(application.matcher_pass, []).append(application)
    graphs, total = len({a.run for a in applications}), sum(a.count or 0 for a in applications)
    passes = counted(len(by_pass), "pass", "passes")
    who = f"rank {capture.header['rank']}" if "rank" in capture.header else f"pid {capture.header.get('pid')}"
    what = f"{counted(graphs, 'graph')}, {passes}, {counted(total, 'match', 'matches')}"
    lines = [f"{short(capture.path)}: {what} (PyTorch {capture.header.get('torch')}, {who})"]
    for number, of_pass in by_pass.items():
        lines += _pass_lines(capture, number, of_pass)
    if capture.left_out:
        lines.append("  the recording reached FUSESCOPE_LIMIT_MB: near misses may be missing")
    lines += [f"  the recorder failed: {note}" for note in capture.notes]
    return "\n".join(map(clean, lines))
