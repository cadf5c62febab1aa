"""What a run recorded, as text for a terminal: passes, counts, and near misses with PyTorch's reason, grouped."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Callable

from .align import Alignment, alignment
from .capture import Application, Capture, Refused
from .repair import repair

Json = Any
SHOWN_GROUPS, SHOWN_REASON, SHOWN_RANKS, SHOWN_NEAREST = 5, 200, 4, 3

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

    def is_near(self) -> bool:
        """More than the last operator aligns, or that is half of the pattern and another operator is at the place of the rest."""
        a, last = self.alignment, self.attempt["node"]
        if a.aligned > 1 or a.total == 1:
            return True
        nodes = self.capture.nodes_before(self.application)
        others = [nodes[d.node]["op"] for d in a.differences if d.node != last and d.node in nodes]
        return a.total == 2 and any(op.startswith("call") for op in others)

    def cut_reason(self) -> str:
        """A FailedMatch prints whole patterns."""
        text = self.reason()
        return text if len(text) <= SHOWN_REASON else f"{text[:SHOWN_REASON]}…"

    def place(self) -> str:
        return place_of(self.capture.nodes_before(self.application).get(self.attempt["node"], {"name": self.attempt["node"]}))

    def difference(self) -> str | None:
        found = self.alignment.differences
        return str(found[0]) if found else None

    def repair_lines(self) -> list[str]:
        """What to change; it was not tried."""
        fires = sum(bool(a.get("applied")) and a["entry"] == self.attempt["entry"] for a in self.application.attempts)
        found = repair(self.capture, self.attempt, self.alignment, fires)
        return [f"try: {found}"] if found else []


# What the runner of a workflow obeys in its log (src/base/runner_commands.ts).
_COMMAND = re.compile(
    r"^\s*:(?=:)|^(?:--|\+\+|~~|\^\^)[-+~^](?=\s|$)|##(?=\w*\[)|travis_(?=(?:fold|time):)"
    r"|<(?=(?:CTest|Dart)[A-Z])|\[(?=\[ATTACHMENT\|)"
)

# Letters that look like a space, and marks without a look, which a runner may ignore in its search for a command.
_BLANKS = re.compile("[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\ufe00-\ufe0f\uffa0\U000e0100-\U000e01ef]")


def clean(text: str) -> str:
    """A line of a recording for a terminal: control characters cannot act there, nor commands in a workflow."""
    plain = "".join(c if c.isprintable() and not _BLANKS.match(c) else " " if c in "\n\t" else ascii(c)[1:-1] for c in text)
    return without_commands(plain, "\\x%02x")


def without_commands(line: str, escape: str) -> str:
    """The line with the last character of each command in this form."""
    return _COMMAND.sub(lambda m: m[0][:-1] + escape % ord(m[0][-1]), line)


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


def groups(found: list[Miss]) -> list[list[Miss]]:
    """Misses of a pattern with one difference and reason, the best first."""
    alike_by: dict[tuple[int, str], list[Miss]] = {}
    for miss in found:
        # Names of nodes differ from layer to layer by their number.
        alike = re.sub(r"\d*_\d+\b", "", f"{miss.difference()} {miss.reason()}")
        alike_by.setdefault((miss.attempt["entry"], alike), []).append(miss)
    return list(alike_by.values())


def counted(n: int, one: str, many: str | None = None) -> str:
    return f"{n} {one if n == 1 else many or one + 's'}"


def nearest_lines(capture: Capture, found: list[Miss]) -> list[str]:
    """The nearest of several places: where, how far, and why not; and those that are as near for another reason."""
    miss, a = found[0], found[0].alignment
    graph = miss.application.compile or miss.application.run
    lines = [f"nearest place (of {len(found)}): {miss.place()}, graph {graph}", f"{a.aligned} of {counted(a.total, 'node')} align"]
    lines += map(str, a.differences[:3])
    if a.differences:
        at = capture.nodes_before(miss.application).get(a.differences[0].node, {}).get("at")
        lines += [f"  {at[0]}:{at[1]}, in {at[2]}: {at[3]}"] if at else []
    lines.append(f"PyTorch: {miss.cut_reason()}")
    place = capture.entry_place(miss.attempt["entry"])
    lines.append(f"pattern: {pattern_place(capture, miss.attempt['entry']) if place['file'] else place['name']}")
    lines += miss.repair_lines()
    for other, *_ in groups([m for m in found if m.score == miss.score])[1:SHOWN_NEAREST]:
        lines += [f"as near: {other.place()}", f"  {other.difference() or f'PyTorch: {other.cut_reason()}'}"]
    return lines


def _pass_lines(capture: Capture, applications: list[Application]) -> list[str]:
    """Counts, then near misses."""
    total = sum(a.count or 0 for a in applications)
    graphs = len({a.run for a in applications})
    lines = [f"{counted(total, 'match', 'matches')} in {counted(graphs, 'graph')}"]
    lines += [f"    raised in graph {a.compile or a.run}: {a.error}" for a in applications if a.error]
    found = misses(capture, applications)
    # Where nothing matched and nothing is nearer, the last operator is what there is to say.
    near = [m for m in found if m.is_near()] or (found if total == 0 else [])
    kinds = groups(near)
    for group in kinds[:SHOWN_GROUPS]:
        best = group[0]
        a = best.alignment
        lines.append(
            f"    {len(group)} × {pattern_place(capture, best.attempt['entry'])}: {a.aligned} of {counted(a.total, 'node')} align"
        )
        if best.difference():
            lines.append(f"        {best.difference()}")
        lines.append(f"        PyTorch: {best.cut_reason()}")
        lines.append(f"        at {best.place()}")
        lines += [f"        {line}" for line in best.repair_lines()]
    if len(kinds) > SHOWN_GROUPS:
        lines.append(f"    and {counted(len(kinds) - SHOWN_GROUPS, 'more kind')} of near misses")
    if rest := len(found) - len(near):
        lines.append(f"    and {counted(rest, 'place')} where only the pattern's last operator aligns")
    return lines


class Recorded:
    """One recording: its passes in order, by name, each with its lines."""

    def __init__(self, path: str) -> None:
        capture = Capture(path)
        self.path, self.header = capture.path, capture.header  # not the graphs: there may be many ranks
        applications = list(capture.applications.values())
        by_pass: dict[int, list[Application]] = {}
        for application in applications:
            by_pass.setdefault(application.matcher_pass, []).append(application)
        self.passes: dict[str, list[str]] = {}
        for number, of_pass in by_pass.items():
            name = capture.pass_name(number)
            again = sum(known == name or known.startswith(f"{name}@") for known in self.passes)
            self.passes[f"{name}@{again + 1}" if again else name] = _pass_lines(capture, of_pass)
        graphs, total = len({a.run for a in applications}), sum(a.count or 0 for a in applications)
        passes = counted(len(by_pass), "pass", "passes")
        self.what = f"{counted(graphs, 'graph')}, {passes}, {counted(total, 'match', 'matches')}"
        self.end = ["the recording reached FUSESCOPE_LIMIT_MB: near misses may be missing"] if capture.left_out else []
        self.end += [f"the recorder failed: {note}" for note in capture.notes]

    @property
    def who(self) -> str:
        return f"rank {self.header['rank']}" if "rank" in self.header else f"pid {self.header.get('pid')}"

    def head(self) -> str:
        return f"{short(self.path)}: {self.what} (PyTorch {self.header.get('torch')}, {self.who})"


def report(*paths: str) -> str:
    """The whole report of recordings."""
    return table([Recorded(path) for path in paths])


def table(recorded: list[Recorded]) -> str:
    """Several recordings are one table: what ranks or runs have alike is said once."""
    word = "ranks" if all("rank" in r.header for r in recorded) else "runs"
    if word == "ranks":
        recorded = sorted(recorded, key=lambda r: str(r.header["rank"]).zfill(9))
    lines = [r.head() for r in recorded]
    names = list(dict.fromkeys(name for r in recorded for name in r.passes))
    if len(recorded) > 1:
        apart = [name for name in names if len(_alike(recorded, name)) > 1]
        where = f"differ in {counted(len(apart), 'pass', 'passes')} of {len(names)}: {', '.join(apart)}" if apart else "agree in every pass"
        lines.append(f"{len(recorded)} {word} {where}")
    for name in names:
        groups = _alike(recorded, name)
        for (first, *rest), members in groups.items():
            whose = "" if len(recorded) == 1 else f" × {len(members)} {word}" if len(groups) == 1 else f", {_named(members)}"
            lines += [f"  {name}: {first}{whose}", *rest]
    for r in recorded:
        lines += [f"  {'' if len(recorded) == 1 else f'{r.who}: '}{line}" for line in r.end]
    return "\n".join(map(clean, lines))


def _alike(recorded: list[Recorded], name: str) -> dict[tuple[str, ...], list[Recorded]]:
    """The recordings by what they have of a pass."""
    groups: dict[tuple[str, ...], list[Recorded]] = {}
    for r in recorded:
        groups.setdefault(tuple(r.passes.get(name, ["went over no graph"])), []).append(r)
    return groups


def _named(members: list[Recorded]) -> str:
    """`rank 0, rank 1 and 6 more`"""
    names = [m.who for m in members]
    return ", ".join(names) if len(names) <= SHOWN_RANKS else f"{', '.join(names[:SHOWN_RANKS])} and {len(names) - SHOWN_RANKS} more"


def files_of(paths: Iterable[str]) -> list[str]:
    """Recordings by name; a folder stands for those in it."""
    found: list[str] = []
    for path in paths:
        if not os.path.isdir(path):
            found.append(path)
            continue
        inside = sorted(n for n in os.listdir(path) if n.endswith((".fusescope", ".fusescope.gz")))
        if not inside:
            raise Refused(f"{path} holds no recording (*.fusescope).")
        found += [os.path.join(path, n) for n in inside]
    return found
