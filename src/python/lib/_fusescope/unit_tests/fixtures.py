"""Arguments of the workspace's tests: parameters, user fixtures, and `graph`, a copy of the shown graph."""

import contextlib
import inspect
import itertools
from collections.abc import Callable, Iterator
from types import ModuleType
from typing import Any

from .. import engine


class Skipped(Exception):
    """pytest.skip()."""


class Fixture:
    """A function marked with @pytest.fixture."""

    def __init__(self, function, name):
        self.function, self.name = function, name


def shown_graph() -> Any:
    """A copy of the workspace's original graph, which one test may edit."""
    from torch.fx import GraphModule

    return GraphModule._traced(engine.shown_graph()).graph


def of(module: ModuleType) -> dict:
    """The fixtures available to tests of this module."""
    return {f.name or name: f.function for name, f in vars(module).items() if isinstance(f, Fixture)}


def parameters(function: Callable) -> Iterator:
    """[(label, {name: value})] for each combination of @pytest.mark.parametrize; one empty combination without it."""
    marks = getattr(function, "_fusescope_parameters", [])
    for combination in itertools.product(*marks):
        given = {name: value for _, values in combination for name, value in values.items()}
        yield "-".join(label for label, _ in combination), given


def call(function: Callable, makers: dict, given: dict) -> None:
    """Calls the function with its parameters and fixtures; code after a fixture's yield runs at the end."""
    for reason in getattr(function, "_fusescope_skips", ()):
        raise Skipped(reason)
    with contextlib.ExitStack() as stack:
        made = dict(given)

        def get(name):
            if name not in made:
                made[name] = make(name)
            return made[name]

        def make(name):
            if name == "graph" and name not in makers:
                return shown_graph()
            if name not in makers:
                raise LookupError(f"fixture {name!r} not found; there are: {', '.join(sorted({'graph', *makers}))}")
            maker = makers[name]
            value = maker(**{p: get(p) for p in inspect.signature(maker).parameters})
            if not inspect.isgenerator(value):
                return value
            stack.callback(lambda: next(value, None))
            return next(value)

        asked = inspect.signature(function).parameters.values()
        function(**{p.name: get(p.name) for p in asked if p.default is p.empty or p.name in given})
