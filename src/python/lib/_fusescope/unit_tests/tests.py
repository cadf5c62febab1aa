"""Unit tests of the workspace: collected like pytest, run in order, each on its own copy of the graph."""

import ast
import importlib
import inspect
import sys
import time
import unittest
from types import CodeType

from .. import bridge, frames
from . import fixtures


def is_test_file(name: str) -> bool:
    """True for test_*.py and *_test.py, as in pytest. A run does not import them, so their passes do not join the
    workspace."""
    base = name.rpartition("/")[2]
    return base.endswith("_test.py") or (base.startswith("test_") and base.endswith(".py"))


def compiled(text: str, filename: str) -> CodeType:
    """Compiles a test file so that a failing comparison in an assert reports both sides."""
    tree = _Asserts().visit(ast.parse(text, filename))
    return compile(ast.fix_missing_locations(tree), filename, "exec", dont_inherit=True)


class _Asserts(ast.NodeTransformer):
    """`assert a == b` becomes `assert (left := a) == (right := b), f"{left!r} == {right!r} is false"`."""

    def visit_Assert(self, node):
        test = node.test
        if node.msg is not None or not isinstance(test, ast.Compare) or len(test.ops) != 1:
            return node
        sides = [("_left_", test.left), ("_right_", test.comparators[0])]
        left, right = [ast.NamedExpr(ast.Name(name, ast.Store()), value) for name, value in sides]
        shown = [ast.Call(ast.Name("repr", ast.Load()), [ast.Name(name, ast.Load())], []) for name, _ in sides]
        parts = [shown[0], f" {_SIGNS[type(test.ops[0])]} ", shown[1], " is false"]
        values = [ast.Constant(p) if isinstance(p, str) else ast.FormattedValue(p, -1, None) for p in parts]
        made = ast.Assert(ast.Compare(left, test.ops, [right]), ast.JoinedStr(values))
        return ast.copy_location(made, node)


_SIGNS = {
    ast.Eq: "==",
    ast.NotEq: "!=",
    ast.Lt: "<",
    ast.LtE: "<=",
    ast.Gt: ">",
    ast.GtE: ">=",
    ast.Is: "is",
    ast.IsNot: "is not",
    ast.In: "in",
    ast.NotIn: "not in",
}


def run(files: list[tuple]) -> list[dict]:
    """The results of the tests in these [(module name, file)], as data. Test files are imported here, not by the
    run."""
    shared = {}
    for module, file in files:
        if file.rpartition("/")[2] == "conftest.py":
            shared |= fixtures.of(sys.modules[module])
    found = [case for module, file in files if is_test_file(file) for case in _collected(module, file, shared)]
    return [_result(*case) for case in found]


def _collected(name, file, shared):
    """The results of a file's tests, or its import error."""
    try:
        module = importlib.import_module(name)
    except BaseException as e:  # SystemExit in user code fails the file
        error = e

        def again():
            raise error

        return [("import", file, 1, again)]
    return list(_cases(module, file, {**shared, **fixtures.of(module)}))


def _cases(module, file, makers):
    """(name, file, line, function that runs it) in file order."""
    for name, value in list(vars(module).items()):
        if getattr(value, "__module__", module.__name__) != module.__name__:
            continue  # imported from another test file
        if inspect.isfunction(value) and name.startswith("test"):
            yield from _of_function(name, value, file, makers)
        elif isinstance(value, type) and issubclass(value, unittest.TestCase):
            for method in unittest.defaultTestLoader.getTestCaseNames(value):
                yield f"{name}.{method}", file, _line(getattr(value, method)), lambda c=value, m=method: c(m).debug()
        elif isinstance(value, type) and name.startswith("Test") and value.__init__ is object.__init__:
            for method in (m for m in vars(value) if m.startswith("test")):
                yield from _of_function(f"{name}.{method}", getattr(value(), method), file, makers)


def _of_function(name, function, file, makers):
    for label, given in fixtures.parameters(function):
        shown = f"{name}[{label}]" if label else name
        yield shown, file, _line(function), lambda g=given: fixtures.call(function, makers, g)


def _line(function):
    return inspect.unwrap(function).__code__.co_firstlineno


def _result(name, file, line, test):
    started = time.perf_counter()
    outcome, error = "passed", None
    try:
        test()
    except (unittest.SkipTest, fixtures.Skipped) as e:
        outcome, error = "skipped", e
    except BaseException as e:  # SystemExit in user code fails the test
        outcome, error = "failed", e
    finally:
        bridge.pending.clear()
    told = None if error is None else frames.describe(error)
    return {
        "name": name,
        "file": file,
        "line": line,
        "outcome": outcome,
        "ms": 1000 * (time.perf_counter() - started),
        "message": told and _message(told),
        "error": told,
    }


def _message(told):
    """The exception's text; for an assert without a message, its source line."""
    if told["message"] and told["type"] in ("AssertionError", "SkipTest", "Skipped"):
        return told["message"]
    if told["type"] == "AssertionError" and told["frames"]:
        return told["frames"][-1][3]
    return f"{told['type']}: {told['message']}" if told["message"] else told["type"]
