"""Records the passes of other people's unit tests (suite.py) as cases with their source, one JSON a line.

    python3 conformance/peers/record_sources.py TEST_FILE… > CASES.jsonl

A case holds the source of the module that registered the patterns, taken from where it is installed, so that Fusescope's
Python runs it too. Foreign sources are not kept in this repository: record into a folder outside it, and compare with
`npx tsx conformance/run.ts CASES.jsonl`.
"""
import ast
import functools
import inspect
import json
import os
import pathlib
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import record as cases  # noqa: E402
import suite  # noqa: E402
import torch  # noqa: E402
from torch._inductor import pattern_matcher as matcher  # noqa: E402

_test = None
_numbers = {}


def absolute(source, module):
    """A module's source with its relative imports written out, as a file of its own."""
    lines = source.splitlines(True)
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.ImportFrom) and node.level:
            package = module.split(".")[: -node.level]
            target = ".".join([*package, *([node.module] if node.module else [])])
            at = node.lineno - 1
            lines[at] = lines[at].replace("." * node.level + (node.module or ""), target, 1)
    return "".join(lines)


def file_of(p):
    """(source, expression of the pass there) of the one module that registered all of a pass; None for other passes."""
    functions = [getattr(e, "handler", None) for entries in p.patterns.values() for e in entries]
    modules = {inspect.getmodule(inspect.unwrap(f)) if f else None for f in functions}
    module = modules.pop() if len(modules) == 1 else None
    for name, value in vars(module).items() if module else ():
        held = {f"{name}[{k!r}]": v for k, v in value.items()} if isinstance(value, dict) else {name: value}
        for expression, each in held.items():
            if each is p:
                return absolute(inspect.getsource(module), module.__name__), expression
    return None


def recording(inner):
    @functools.wraps(inner)
    def apply(self, gm):
        graph = gm.graph if isinstance(gm, torch.fx.GraphModule) else gm
        found = file_of(self) if _test and self.patterns and cases._attempts is None else None
        if found is None:
            return inner(self, gm)
        source, name = found
        owner = graph.owning_module
        number = _numbers[_test] = _numbers.get(_test, -1) + 1
        case = {
            "id": f"{_test}#{number}", "family": "peers", "test": _test, "title": self.pass_name or name, "graph": str(graph),
            "readable": owner.print_readable(print_output=False, include_stride=True, include_device=True),
            "pattern_py": f"{source}\n\npatterns = {name}\n", "passes": ["patterns"],
        }
        done = cases._apply("patterns", _Applied(self, inner), owner)
        if "apply_error" not in done and (done["attempts"] or done["count"]):
            print(json.dumps(case | {"expected": {"passes": [done]}}), flush=True)
        return done.get("count", 0)

    return apply


class _Applied:
    """A pass whose apply is the one of PyTorch."""

    def __init__(self, p, inner):
        self.patterns, self._pass, self._inner = p.patterns, p, inner

    def apply(self, graph):
        return self._inner(self._pass, graph)


def note_test(name):
    global _test
    _test = name


if __name__ == "__main__":
    matcher.PatternMatcherPass.apply = recording(matcher.PatternMatcherPass.apply)
    for each in sys.argv[1:]:
        suite.run(pathlib.Path(each), note_test)
