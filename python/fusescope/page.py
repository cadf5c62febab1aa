"""A recording as one HTML file without scripts: counts, near misses with the part of the graph around them and what to change,
and the graphs with their matches, drawn and as text."""

from __future__ import annotations

import html
from typing import Any

from .align import text_of
from .capture import Application, Capture, inputs_of, write
from .report import Miss, counted, groups, misses, pattern_place

Json = Any
MISSES, GRAPHS = 20, 50
# Nodes that are drawn in all graphs together.
DRAWN = 4000
# Of a node in a picture: steps to the right and down, and its size, in CSS pixels.
ACROSS, DOWN, WIDTH, HEIGHT = 210, 56, 194, 38
ALIGNED, DIFFERS, PLAIN = "#bfe6c8", "#ffd0c8", "#eee"
POLICY = "default-src 'none'; style-src 'unsafe-inline'"
STYLE = """
body { font: 15px/1.5 system-ui, sans-serif; max-width: 70rem; margin: 2rem auto; padding: 0 1rem }
:root { color: #1c1e21; background: #fff }
table { border-collapse: collapse } td, th { padding: .25rem .75rem; border-bottom: 1px solid #ccc; text-align: left }
pre { overflow-x: auto; line-height: 1.4 } svg { max-width: 100%; height: auto } text { font: 12px monospace }
mark { background: #bfe6c8 } .wide { overflow-x: auto } .wide svg { max-width: none }
"""


def _escape(value: Any) -> str:
    return html.escape(str(value))


def _picture(miss: Miss) -> str:
    """The nodes that align, green, and their inputs, as levels; a node that differs is red."""
    nodes = miss.capture.nodes_before(miss.application)
    levels, seen = [[miss.attempt["node"]]], {miss.attempt["node"]}
    while len(levels) < 8 and sum(map(len, levels)) < 24:
        above = [n for name in levels[-1] if name in miss.alignment.nodes for n in inputs_of(nodes[name]) if n not in seen]
        above = list(dict.fromkeys(above))[:6]
        if not above:
            break
        seen.update(above)
        levels.append(above)
    differs = {d.node for d in miss.alignment.differences}
    fills = {name: DIFFERS if name in differs else ALIGNED for name in differs | miss.alignment.nodes}
    return _svg(levels[::-1], nodes, fills, f"{miss.attempt['node']} and its inputs")


def _svg(levels: list[list[str]], nodes: dict[str, Json], fills: dict[str, str], label: str) -> str:
    """Nodes in rows, with lines from their inputs."""
    at = {name: (x * ACROSS + 8, y * DOWN + 8) for y, row in enumerate(levels) for x, name in enumerate(row)}
    parts = []
    for name, (x, y) in at.items():
        for source in inputs_of(nodes[name]) if name in nodes else []:
            if source in at:
                sx, sy = at[source]
                parts.append(f'<path d="M{sx + WIDTH // 2} {sy + HEIGHT}L{x + WIDTH // 2} {y}" stroke="#888"/>')
    for name, (x, y) in at.items():
        target = str(nodes[name]["target"]) if name in nodes else ""
        box = f'width="{WIDTH}" height="{HEIGHT}" rx="5" fill="{fills.get(name, PLAIN)}" stroke="#888"'
        parts.append(f'<rect x="{x}" y="{y}" {box}/>')
        for dy, line in ((16, name), (31, target)):
            parts.append(f'<text x="{x + 6}" y="{y + dy}">{_escape(line[:25])}</text>')
    width, height = max(map(len, levels)) * ACROSS + 8, len(levels) * DOWN + 8
    return f'<svg viewBox="0 0 {width} {height}" width="{width}" role="img" aria-label="{_escape(label)}">{"".join(parts)}</svg>'


def _drawing(nodes: dict[str, Json], matched: set[str], label: str) -> str:
    """The whole graph without its inputs, each node below those that it uses."""
    level: dict[str, int] = {}
    rows: list[list[str]] = []
    for name, node in nodes.items():
        if node["op"] in ("placeholder", "output"):
            continue
        level[name] = 1 + max((level.get(source, -1) for source in inputs_of(node)), default=-1)
        while len(rows) <= level[name]:
            rows.append([])
        rows[level[name]].append(name)
    return f'<div class="wide">{_svg(rows, nodes, dict.fromkeys(matched, ALIGNED), label)}</div>' if rows else ""


def _miss(alike: list[Miss]) -> str:
    miss, a = alike[0], alike[0].alignment
    more = f" The same holds at {counted(len(alike) - 1, 'other place')}." if len(alike) > 1 else ""
    lines = [
        f"<h3>{_escape(pattern_place(miss.capture, miss.attempt['entry']))} at {_escape(miss.place())}</h3>",
        f"<p>{a.aligned} of {counted(a.total, 'node')} align.{more}</p><ul>",
        *(f"<li>{_escape(d)}</li>" for d in a.differences[:3]),
        f"</ul><p>PyTorch: <code>{_escape(miss.cut_reason())}</code></p>",
        *(f"<p>{_escape(line)}</p>" for line in miss.repair_lines()),
        _picture(miss),
    ]
    return "\n".join(lines)


def _line(node: Json, matched: set[str]) -> str:
    args = [text_of(a) for a in node["args"]] + [f"{k}={text_of(v)}" for k, v in node.get("kwargs", {}).items()]
    text = _escape(f"{node['name']} = {node['target']}({', '.join(args)})")
    val = node.get("val")
    note = f"  # {val.get('dtype')}{text_of(val['shape'])}" if isinstance(val, dict) and "shape" in val else ""
    return (f"<mark>{text}</mark>" if node["name"] in matched else text) + _escape(note)


def _graphs(capture: Capture, applications: list[Application]) -> list[str]:
    """The first is open. A graph that is too large to be drawn is text alone."""
    parts, left = [], DRAWN
    for application in applications[:GRAPHS]:
        matched, nodes = application.matched_nodes(), capture.nodes_before(application)
        lines = [_line(n, matched) for n in nodes.values()]
        title = f"{capture.pass_name(application.matcher_pass)} on graph {application.compile or application.run}: {len(lines)} nodes"
        drawn = _drawing(nodes, matched, title) if len(nodes) <= left else ""
        left -= len(nodes) if drawn else 0
        opened = "" if parts else " open"
        text = f"<details><summary>as text</summary><pre>{chr(10).join(lines)}</pre></details>"
        parts.append(f"<details{opened}><summary>{_escape(title)}</summary>{drawn}{text}</details>")
    return parts


def body_of(path: str) -> str:
    """The report without its page, for a notebook too."""
    capture = Capture(path)
    applications = list(capture.applications.values())
    rows = [
        f"<tr><td>{_escape(capture.pass_name(a.matcher_pass))}</td><td>{_escape(a.compile or a.run)}</td>"
        f"<td>{_escape('' if a.count is None else a.count)}</td><td>{_escape(a.error or '')}</td></tr>"
        for a in applications
    ]
    found = misses(capture, applications)
    kinds = groups(found)
    more = f"<p>And {counted(len(kinds) - MISSES, 'more kind')}.</p>" if len(kinds) > MISSES else ""
    parts = [
        f"<p>PyTorch {_escape(capture.header.get('torch'))}, {_escape(capture.path)}</p>",
        f"<table><tr><th>pass</th><th>graph</th><th>matches</th><th>raised</th></tr>{''.join(rows)}</table>",
        f"<h2>{counted(len(found), 'near miss', 'near misses')}</h2>",
        *map(_miss, kinds[:MISSES]),
        f"{more}<h2>Graphs</h2>",
        "<p>Nodes of matches are green; inputs are in the text.</p>",
        *_graphs(capture, applications),
        f"<p>And {len(applications) - GRAPHS} more.</p>" if len(applications) > GRAPHS else "",
    ]
    return "\n".join(parts)


def write_html(path: str, out: str) -> None:
    """`fusescope show RECORDING --html OUT`"""
    head = f'<meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="{POLICY}"><title>Fusescope</title>'
    text = f"<!doctype html>{head}<style>{STYLE}</style><h1>Fusescope</h1>{body_of(path)}\n"
    write(out, text)
