"""A recording as one HTML file without scripts: counts, near misses with the part of the graph around them, graphs."""

from __future__ import annotations

import html
from typing import Any

from .align import text_of
from .capture import Application, Capture, inputs_of, write
from .report import Miss, counted, misses, pattern_place

Json = Any
MISSES, GRAPHS = 20, 50
POLICY = "default-src 'none'; style-src 'unsafe-inline'"
STYLE = """
body { font: 15px/1.5 system-ui, sans-serif; max-width: 70rem; margin: 2rem auto; padding: 0 1rem }
:root { color: #1c1e21; background: #fff }
table { border-collapse: collapse } td, th { padding: .25rem .75rem; border-bottom: 1px solid #ccc; text-align: left }
pre { overflow-x: auto; line-height: 1.4 } svg { max-width: 100%; height: auto } text { font: 12px monospace }
mark { background: #bfe6c8 } mark.differs { background: #ffd0c8 }
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
    at = {name: (x * 210 + 8, (len(levels) - 1 - y) * 56 + 8) for y, row in enumerate(levels) for x, name in enumerate(row)}
    parts = []
    for name, (x, y) in at.items():
        for source in inputs_of(nodes[name]) if name in nodes else []:
            if source in at:
                sx, sy = at[source]
                parts.append(f'<path d="M{sx + 95} {sy + 38}L{x + 95} {y}" stroke="#888"/>')
    for name, (x, y) in at.items():
        fill = "#ffd0c8" if name in differs else "#bfe6c8" if name in miss.alignment.nodes else "#eee"
        target = str(nodes[name]["target"]) if name in nodes else ""
        parts.append(f'<rect x="{x}" y="{y}" width="194" height="38" rx="5" fill="{fill}" stroke="#888"/>')
        for dy, line in ((16, name), (31, target)):
            parts.append(f'<text x="{x + 6}" y="{y + dy}">{_escape(line[:25])}</text>')
    width, height = max(len(row) for row in levels) * 210 + 8, len(levels) * 56 + 8
    label = f"{miss.attempt['node']} and its inputs"
    return f'<svg viewBox="0 0 {width} {height}" width="{width}" role="img" aria-label="{_escape(label)}">{"".join(parts)}</svg>'


def _miss(miss: Miss) -> str:
    a = miss.alignment
    lines = [
        f"<h3>{_escape(pattern_place(miss.capture, miss.attempt['entry']))} at {_escape(miss.place())}</h3>",
        f"<p>{a.aligned} of {counted(a.total, 'node')} align.</p><ul>",
        *(f"<li>{_escape(d)}</li>" for d in a.differences[:3]),
        f"</ul><p>PyTorch: <code>{_escape(miss.cut_reason())}</code></p>{_picture(miss)}",
    ]
    return "\n".join(lines)


def _line(node: Json, matched: set[str]) -> str:
    args = [text_of(a) for a in node["args"]] + [f"{k}={text_of(v)}" for k, v in node.get("kwargs", {}).items()]
    text = _escape(f"{node['name']} = {node['target']}({', '.join(args)})")
    val = node.get("val")
    note = f"  # {val.get('dtype')}{text_of(val['shape'])}" if isinstance(val, dict) and "shape" in val else ""
    return (f"<mark>{text}</mark>" if node["name"] in matched else text) + _escape(note)


def _graph(capture: Capture, application: Application) -> str:
    matched = application.matched_nodes()
    lines = [_line(n, matched) for n in capture.nodes_before(application).values()]
    title = f"{capture.pass_name(application.matcher_pass)} on graph {application.compile or application.run}: {len(lines)} nodes"
    return f"<details><summary>{_escape(title)}</summary><pre>{chr(10).join(lines)}</pre></details>"


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
    more = f"<p>And {len(found) - MISSES} more.</p>" if len(found) > MISSES else ""
    parts = [
        f"<p>PyTorch {_escape(capture.header.get('torch'))}, {_escape(capture.path)}</p>",
        f"<table><tr><th>pass</th><th>graph</th><th>matches</th><th>raised</th></tr>{''.join(rows)}</table>",
        f"<h2>{counted(len(found), 'near miss', 'near misses')}</h2>",
        *map(_miss, found[:MISSES]),
        f"{more}<h2>Graphs</h2>",
        *(_graph(capture, a) for a in applications[:GRAPHS]),
        f"<p>And {len(applications) - GRAPHS} more.</p>" if len(applications) > GRAPHS else "",
    ]
    return "\n".join(parts)


def write_html(path: str, out: str) -> None:
    """`fusescope show RECORDING --html OUT`"""
    head = f'<meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="{POLICY}"><title>Fusescope</title>'
    text = f"<!doctype html>{head}<style>{STYLE}</style><h1>Fusescope</h1>{body_of(path)}\n"
    write(out, text)
