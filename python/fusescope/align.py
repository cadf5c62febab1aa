"""How much of a pattern aligns with a graph at a node, and what differs there."""

from __future__ import annotations

import sys
from dataclasses import dataclass, field
from typing import Any

from .capture import MALFORMED, Application, Capture, Refused

Json = Any


@dataclass
class Difference:
    """An argument, or an operator, in which pattern and graph differ."""

    node: str
    what: str
    pattern: str
    graph: str
    is_value: bool = False  # of an argument

    def __str__(self) -> str:
        return f"{self.what} is {self.pattern} in the pattern, {self.graph} in the graph"


class Users(Difference):
    """A node that others use than the pattern says."""

    def __str__(self) -> str:
        return f"{self.node} has {self.graph} users in the graph, {self.pattern} in the pattern"


@dataclass
class Alignment:
    """Nodes of the pattern that align, of all its nodes; differences in the order in which they were found."""

    aligned: int
    total: int
    differences: list[Difference] = field(default_factory=list)
    nodes: set[str] = field(default_factory=set)  # names of the graph's nodes that align


def text_of(value: Json) -> str:
    """An argument as Python shows it (the table of values in docs/capture.md)."""
    if isinstance(value, list):
        return f"[{', '.join(map(text_of, value))}]"
    if not isinstance(value, dict):
        return repr(value)
    if isinstance(value.get("t"), list):
        return f"({', '.join(map(text_of, value['t']))})"
    for key in ("node", "f", "i", "s", "op", "text"):
        if key in value:
            return str(value[key])
    if "dt" in value:
        return f"torch.{value['dt']}"
    return str(next(iter(value.values()), value))


def as_pattern(graph: Json) -> Json:
    """A traced pattern as a PatternExpr: the form in which stage one's patterns are recorded."""
    nodes = {n["name"]: n for n in graph["nodes"]}
    seen: set[str] = set()

    def expr(name: str) -> Json:
        node = nodes.get(name, {"op": "placeholder"})
        if node["op"] not in ("call_function", "call_method"):
            return {"expr": "KeywordArg", "id": name}
        if name in seen:
            return {"expr": "ref", "id": name}
        seen.add(name)
        kwargs = [[k, arg(v)] for k, v in node.get("kwargs", {}).items()]
        return {
            "expr": "CallFunction",
            "id": name,
            "fns": [node["target"]],
            "args": list(map(arg, node["args"])),
            "kwargs": kwargs,
        }

    def arg(value: Json) -> Json:
        if isinstance(value, dict) and "node" in value:
            return {"pattern": expr(value["node"])}
        items = value.get("t") if isinstance(value, dict) else value if isinstance(value, list) else None
        if items is not None and any(isinstance(v, dict) and "node" in v for v in items):
            return {"list": list(map(arg, items))}
        return {"value": value}

    outputs = next((n["args"][0] for n in graph["nodes"] if n["op"] == "output"), None)
    found = outputs.get("t", [outputs]) if isinstance(outputs, dict) else outputs or []
    exprs = [expr(o["node"]) for o in found if isinstance(o, dict) and "node" in o]
    return exprs[0] if len(exprs) == 1 else {"expr": "MultiOutputPattern", "id": "", "outputs": exprs}


class _Walk:
    def __init__(self, capture: Capture, application: Application) -> None:
        self.capture, self.application = capture, application
        self.nodes = capture.nodes_before(application)
        self.out = Alignment(0, 0)

    def count(self, p: Json) -> None:
        """Calls of the pattern; a shared one is a `ref` from its second occurrence on."""
        if isinstance(p, dict):
            self.out.total += str(p.get("expr", "")).startswith("Call")
            for key in ("args", "kwargs", "outputs", "pattern", "list", "tuple", "dict"):
                self.count(p.get(key))
        elif isinstance(p, list):
            for item in p:
                self.count(item)

    def differ(self, node: str, what: str, pattern: str, graph: str) -> None:
        self.out.differences.append(Difference(node, what, pattern, graph))

    def expr(self, p: Json, value: Json, user: str) -> None:
        kind = p["expr"]
        if kind == "MultiOutputPattern":
            first = next((o for o in p["outputs"] if o is not None), None)
            if first is not None:
                self.expr(first, value, user)
        elif kind == "ListOf" and isinstance(value, list):
            for item in value:
                self.expr(p["pattern"], item, user)
        elif kind == "RepeatedExpr":
            self.expr(p["pattern"], value, user)
        elif kind.startswith("Call"):
            self.call(p, value, user)

    def call(self, p: Json, value: Json, user: str) -> None:
        wanted = " or ".join(p["fns"][:2])
        node = self.nodes.get(value.get("node", "")) if isinstance(value, dict) else None
        if node is None:
            return self.differ(user, f"an input of {user}", wanted, text_of(value))
        if node["target"] not in p["fns"]:
            at = node["name"]
            found = node["target"] if node["op"].startswith("call") else f"an input of the graph ({node['op']})"
            return self.differ(at, at, wanted, found)
        self.out.aligned += 1
        self.out.nodes.add(node["name"])
        self.uses(p, node, user)
        if p["expr"].endswith("VarArgs"):
            return None
        names = self.names(node["target"])
        for i, (mine, theirs) in enumerate(zip(p["args"], node["args"])):
            self.argument(mine, theirs, node, names[i] if i < len(names) else str(i + 1))
        kwargs = node.get("kwargs", {})
        for name, mine in p["kwargs"]:
            if name in kwargs:
                self.argument(mine, kwargs[name], node, name)
        return None

    def uses(self, p: Json, node: Json, user: str) -> None:
        """Nodes inside a match have the users that the pattern gives them; its outputs have any."""
        wanted, name = p.get("users"), node["name"]
        if name == user or not isinstance(wanted, int):
            return
        found = self.capture.users_before(self.application)[name]
        if wanted != found:
            self.out.differences.append(Users(name, name, str(wanted), str(found)))

    def argument(self, mine: Json, theirs: Json, node: Json, name: str) -> None:
        if "pattern" in mine:
            return self.expr(mine["pattern"], theirs, node["name"])
        inner = mine.get("list", mine.get("tuple"))
        items = theirs.get("t") if isinstance(theirs, dict) else theirs
        if inner is not None and isinstance(items, list):
            for one, other in zip(inner, items):
                self.argument(one, other, node, name)
        elif "value" in mine and not _equal(mine["value"], theirs):
            what = f"argument {name} of {node['name']} ({node['target']})"
            self.out.differences.append(Difference(node["name"], what, text_of(mine["value"]), text_of(theirs), True))
        return None

    def names(self, target: str) -> list[str]:
        """Names of an operator's arguments: of the recording's own operators, and of PyTorch's where it is loaded."""
        schema = self.capture.schemas.get(target) or _schema(target)
        inside = schema[schema.find("(") + 1 : schema.rfind(") ->")] if schema else ""
        parts = [part.strip() for part in _top_level(inside) if part.strip() != "*"]
        return [part.split("=")[0].split()[-1] for part in parts if part]


def _top_level(text: str) -> list[str]:
    parts, depth = [""], 0
    for c in text:
        depth += (c in "([") - (c in ")]")
        if c == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += c
    return parts


def _schema(target: str) -> str:
    torch = sys.modules.get("torch")
    found = getattr(torch, "ops", None)
    for part in target.split("."):
        found = getattr(found, part, None)
    return str(getattr(found, "_schema", ""))


def _equal(a: Json, b: Json) -> bool:
    """PyTorch compares constants with ==: 1, 1.0 and True are one value."""

    def plain(v: Json) -> Json:
        if isinstance(v, dict):
            return plain(v["f"]) if "f" in v else plain(v["t"]) if "t" in v else v
        return list(map(plain, v)) if isinstance(v, list) else v

    return bool(plain(a) == plain(b))


def alignment(capture: Capture, application: Application, attempt: Json) -> Alignment:
    """Stage two's pattern where the attempt came that far, else the registered one, at the attempt's node."""
    second = attempt.get("second")
    trace = capture.traces.get(second.get("trace", -1)) if second else None
    entry = capture.entries.get(attempt["entry"], {})
    walk = _Walk(capture, application)
    try:
        pattern = as_pattern(trace["graph"]) if trace else entry.get("pattern") or {"expr": "Arg"}
        walk.count(pattern)
        walk.expr(pattern, {"node": attempt["node"]}, attempt["node"])
    except MALFORMED as e:
        raise Refused(f"{capture.path}: pattern {attempt['entry']} cannot be read ({type(e).__name__}: {e}).") from None
    return walk.out
