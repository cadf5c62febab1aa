"""What the tests of a workspace are given: parameters, fixtures of their own, and `graph`, a copy of the shown graph."""
import contextlib
import inspect
import itertools

from .. import bridge


class Skipped(Exception):
    """pytest.skip()."""


class Fixture:
    """A function that @pytest.fixture marked."""

    def __init__(self, function, name):
        self.function, self.name = function, name


def shown_graph():
    """The graph of the workspace as it was given: a copy, for one test to do with as it likes."""
    from torch.fx import GraphModule

    return GraphModule._traced(bridge.call("shown_graph")).graph


def of(module):
    """The fixtures that a test of this module may name."""
    return {f.name or name: f.function for name, f in vars(module).items() if isinstance(f, Fixture)}


def parameters(function):
    """[(label, {name: value})] for each combination of its @pytest.mark.parametrize; one empty one without any."""
    marks = getattr(function, "_fusescope_parameters", [])
    for combination in itertools.product(*marks):
        given = {name: value for _, values in combination for name, value in values.items()}
        yield "-".join(label for label, _ in combination), given


def call(function, makers, given):
    """The function with what its parameters ask for; what fixtures have after a yield runs at the end."""
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
