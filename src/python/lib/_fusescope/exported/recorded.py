"""Applies patterns that a capture recorded: their functions answer with the traces and results of the recorded run."""

import builtins
import contextlib
import inspect
import sys

import torch
from torch._inductor import pattern_matcher
from torch._inductor.virtualized import V
from torch.fx.passes.shape_prop import _extract_tensor_metadata


class Edit(GraphBuilder):
    """Repeats what a handler did to a graph."""

    def __init__(self, graph, shared):
        super().__init__(shared)
        self.graph, self.root = graph, graph.owning_module
        self.nodes = {n.name: n for n in graph.nodes}

    def node(self, name):
        if name not in self.nodes:
            raise LookupError(f"The graph has no node {name}.")
        return self.nodes[name]

    @contextlib.contextmanager
    def after(self, name):
        """Nodes are inserted after this one; None: at the start."""
        first = next(iter(self.graph.nodes))
        with self.graph.inserting_before(first) if name is None else self.graph.inserting_after(self.node(name)):
            yield
        self.nodes = {n.name: n for n in self.graph.nodes}

    def change(self, name, args, kwargs):
        node = self.node(name)
        node.args, node.kwargs = _all_held((args, kwargs))

    def erase(self, *names):
        for name in reversed(names):
            self.graph.erase_node(self.node(name))


class RecordedPattern:
    """A pattern with the functions of the recorded run. `answers` has what they did, by anchor."""

    def __init__(self, recorded, answers, shared):
        self.recorded, self.answers, self.shared = recorded, answers, shared
        self.at = self.replace = None
        self.entry = self.replacement() if recorded["kind"] == "replacement" else self.graph_pattern()
        check = self.entry.extra_check

        def extra_check(match):
            self.at = answers.get(match.output_nodes()[0].name, {})
            return check(match)

        self.entry.extra_check = extra_check

    def graph_pattern(self):
        return pattern_matcher.GraphPatternEntry(
            pattern=self.recorded["pattern"](), extra_check=self.accepts, handler=self.handle
        )

    def replacement(self):
        def search(*args):
            """Traced as recorded."""

        def replace(*args):
            """Traced as recorded."""

        self.replace = replace
        recorded = self.recorded
        names = [inspect.Parameter(n, inspect.Parameter.POSITIONAL_OR_KEYWORD) for n in recorded["arguments"]]
        search.__signature__ = inspect.Signature(names)
        made = pattern_matcher.PatternMatcherPass()
        getattr(pattern_matcher, "_seen_patterns", set()).clear()
        pattern_matcher.register_replacement(
            search,
            replace,
            recorded["inputs"](GraphBuilder(self.shared)),
            self.trace,
            made,
            extra_check=self.accepts,
            scalar_workaround=recorded["scalar_workaround"],
            exclusive_arg_names=recorded["exclusive"],
            search_fn_pattern=recorded["pattern"]() if recorded["given"] else None,
        )
        (entry,) = next(iter(made.patterns.values()))
        if recorded["pattern"] is not None:
            entry.pattern = recorded["pattern"]()
        return entry

    def trace(self, fn, args, **options):
        if self.at is None:
            return self.rebuilt(self.recorded["search"] or self.any_trace)
        return self.rebuilt(self.at.get("replacement" if fn is self.replace else "trace"))

    def any_trace(self, build):
        """For a pattern registered before the capture began: `pattern` replaces it."""
        inputs = [build.placeholder(name, name, None) for name in self.recorded["arguments"]]
        return build.output(build.call("relu", torch.ops.aten.relu.default, (inputs[0],), {}, None))

    def rebuilt(self, trace):
        if trace is None:
            raise RuntimeError(self.at.get("raised") or "The capture has no trace here.")
        module, _ = trace(GraphBuilder(self.shared))
        for node in module.graph.nodes:
            val = node.meta.get("val")
            if isinstance(val, torch.Tensor):
                node.meta["tensor_meta"] = _extract_tensor_metadata(val)
        return module

    def accepts(self, match):
        if self.at.get("raised") and not self.at.get("applied"):
            raise recorded_exception(self.at["raised"])
        return self.at.get("applied", False)

    def handle(self, match, *args, **kwargs):
        if self.at.get("raised"):
            raise recorded_exception(self.at["raised"])
        self.at["edit"](Edit(match.graph, self.shared))


def recorded_exception(text):
    """The exception of `Type: message`; a RuntimeError for a type that is not Python's own."""
    name, _, message = text.partition(": ")
    kind = getattr(builtins, name, None)
    known = isinstance(kind, type) and issubclass(kind, Exception)
    return kind(message) if known else RuntimeError(text)


def apply_recorded(application):
    """Applies the patterns of one recorded application to its graph. Returns the number of matches; None if it raised."""
    with guarded():
        return _applied(application)


def _applied(application):
    shared = GraphBuilder()
    module, mode = application["graph"](shared)
    with V.set_fake_mode(mode):
        entries = {
            number: RecordedPattern(recorded, application["answers"].get(number, {}), shared).entry
            for number, recorded in application["entries"].items()
        }
        patterns = pattern_matcher.PatternMatcherPass(pass_name=application["name"])
        for key, numbers in application["table"]:
            patterns.patterns[key] = [entries[n] for n in numbers if n in entries]
        try:
            return patterns.apply(module.graph)
        except Exception as e:
            print(visible(f"{application['name']} raised {type(e).__name__}: {e}"), file=sys.stderr)
            return None
