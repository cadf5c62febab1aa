"""`with fusescope.record() as run:` and what a test asserts about the run."""

from __future__ import annotations

import contextlib
import functools
import getpass
import importlib
import itertools
import os
import pathlib
import re
import sys
import tempfile
from collections.abc import Iterator
from types import ModuleType
from typing import Any, Callable

from .capture import Application, Capture, Refused
from .report import clean, counted, misses, nearest_lines, place_of, report

_numbers = itertools.count(1)


class Run:
    """What happened inside `record()`. `path` is the recording, which opens in Fusescope."""

    def __init__(self, path: str) -> None:
        self.path = path
        self._ended = False
        self._capture: Capture | None = None
        self._passes: dict[int, int] = {}  # number of a pass by the id of its object
        self._kept: list[Any] = []
        self._hits = 0
        # Copies of the graphs that passes changed, before and after, by number of the run; an exception where copying failed.
        self._before: dict[int, Any] = {}
        self._after: dict[int, Any] = {}
        self._place: Callable[[Any], Any] = lambda _: None

    def assert_fires(self, pattern: Any, times: int | None = None) -> None:
        """Fails unless the pass, or pattern, fired (`times`: exactly so often).

        `pattern` is a PatternMatcherPass, an object that holds some, a search, replacement or handler function, or a name.
        """
        __tracebackhide__ = True
        count = self.count(pattern)
        if count == times or (times is None and count > 0):
            return
        raise AssertionError(self._failure(pattern, count, "at least 1" if times is None else str(times)))

    def assert_does_not_fire(self, pattern: Any) -> None:
        """Fails if the pass, or pattern, fired."""
        __tracebackhide__ = True
        count = self.count(pattern)
        if count:
            places = [f"  at {place}" for place in self._fired_places(pattern)[:5]]
            raise AssertionError(
                lines_of([f"{name_of(pattern)} fired {counted(count, 'time')}, expected 0.", *places, f"  recording: {self.path}"])
            )

    def assert_numbers(self, rtol: float | None = None, atol: float | None = None) -> None:
        """Fails if a graph gives other values after its passes than before, on the same random inputs and its own device.

        The default tolerances are those of torch.testing.assert_close.
        """
        __tracebackhide__ = True
        self._applications()
        if not self._after:
            raise AssertionError(lines_of(["No pass replaced anything, so there are no values to compare.", *self._open_lines()]))
        from .graphs import compared

        for run, after in self._after.items():
            before, does = self._before[run], "be copied"
            try:
                for graph in (before, after):
                    if isinstance(graph, Exception):
                        raise graph
                does = "run"
                numbers = compared(before, after, rtol, atol)
            except Exception as e:
                raise AssertionError(
                    lines_of([f"{self._graph_of(run)} cannot {does}: {type(e).__name__}: {e}", *self._open_lines()])
                ) from e
            if numbers.differences:
                raise AssertionError(self._numbers_failure(run, numbers))

    def _numbers_failure(self, run: int, numbers: Any) -> str:
        lines = [f"{self._graph_of(run)} gives other values after its passes, on {numbers.device}."]
        lines += [f"  {d}" for d in numbers.differences[:5]]
        of_run = [a for a in self._applications() if a.run == run]
        if numbers.first is not None and self._capture is not None:
            node = self._capture.nodes_before(of_run[0]).get(numbers.first.name, {"name": numbers.first.name})
            lines += [f"  the first node that differs: {place_of(node)}", f"  {numbers.first}"]
        for a in of_run:
            if a.count and self._capture is not None:
                lines.append(f"  {self._capture.pass_name(a.matcher_pass)}: {counted(a.count, 'match', 'matches')}")
        return lines_of([*lines, *self._open_lines()])

    def _graph_of(self, run: int) -> str:
        return next((f"Graph {a.compile}" for a in self._applications() if a.run == run and a.compile), f"Graph {run}")

    def _open_lines(self) -> list[str]:
        if self._capture is None:
            return [f"  {self._nothing()}"]
        lines = [f"  recording: {self.path}", f"  open it:   fusescope show {self.path}"]
        page = f"{self.path}.html"
        try:
            from .page import write_html

            write_html(self.path, page)
            lines.append(f"  report:    {pathlib.Path(page).as_uri()}")
        except (Refused, OSError):  # the failure says the most of it
            pass
        return lines

    def count(self, pattern: Any) -> int:
        """Number of matches that were replaced. Of a pass it is what `apply` returned, summed."""
        passes, entries = self._find(pattern)
        if passes:
            return sum(a.count or 0 for a in self._applications() if a.matcher_pass in passes)
        fired = (x for a in self._applications() for x in a.attempts if x.get("applied") and not x.get("raised"))
        return sum(x["entry"] in entries for x in fired)

    def report(self) -> str:
        """Graphs, passes, counts and near misses, as `fusescope run` prints them."""
        return report(self.path) if self._capture else f"Nothing was recorded: {self._nothing()}"

    def _repr_html_(self) -> str:
        from .shown import run_html

        return run_html(self)

    def _keep(self, run: int, graph: Any) -> None:
        self._before[run] = _copied(graph)

    def _changed(self, run: int, graph: Any, count: int | None) -> None:
        if count:
            self._after[run] = _copied(graph)

    def _end(self, recorder: ModuleType, written: str | None, state: Any) -> None:
        self._ended = True
        self._before = {run: graph for run, graph in self._before.items() if run in self._after}
        self._place = recorder._place
        if written is not None:
            self.path = written
            self._capture = Capture(written)
            for number, matcher_pass in state.passes.numbers.values():
                self._passes[id(matcher_pass)] = number
                self._kept.append(matcher_pass)

    def _applications(self) -> list[Application]:
        if not self._ended:
            raise Refused("the recording is still open: assert after the `with` block.")
        return list(self._capture.applications.values()) if self._capture else []

    def _find(self, pattern: Any) -> tuple[set[int], set[int]]:
        """Numbers of the passes that are meant; if none are, numbers of the patterns."""
        capture = self._capture
        if capture is None:
            return set(), set()
        if isinstance(pattern, str):
            named = {n for n, p in capture.passes.items() if pattern in _names(p)}
            return named, {n for n, e in capture.entries.items() if pattern in _entry_names(e)}
        held = [pattern, *getattr(pattern, "__dict__", {}).values()]
        flat = itertools.chain.from_iterable(v if isinstance(v, (list, tuple)) else [v] for v in held)
        passes = {self._passes[id(v)] for v in flat if id(v) in self._passes}
        return passes, set() if passes else self._entries_of(capture, pattern)

    def _entries_of(self, capture: Capture, function: Any) -> set[int]:
        place = self._place(function) if callable(function) else None
        if not place or not place["file"]:
            return set()
        return {n for n, e in capture.entries.items() if place in e["functions"].values()}

    def _fired_places(self, pattern: Any) -> list[str]:
        passes, entries = self._find(pattern)
        return [
            f"{x['node']}, graph {a.compile or a.run}"
            for a in self._applications()
            for x in a.attempts
            if x.get("applied") and (a.matcher_pass in passes or x["entry"] in entries)
        ]

    def _nothing(self) -> str:
        if self._hits:
            return f"{counted(self._hits, 'graph')} came from Inductor's cache, so no pass went over it."
        return "no pass with patterns of yours went over a graph. A model that was compiled before needs torch.compiler.reset()."

    def _failure(self, pattern: Any, count: int, expected: str) -> str:
        lines = [f"{name_of(pattern)} fired {count} of {expected}."]
        passes, entries = self._find(pattern)
        if self._capture is None:
            return lines_of([*lines, f"  {self._nothing()}"])
        wanted = [a for a in self._applications() if not passes or a.matcher_pass in passes]
        if not passes and not entries:
            known = ", ".join(sorted({self._capture.pass_name(n) for n in self._capture.passes}))
            lines.append(f"  it went over no graph of this recording; its passes are {known}")
        found = misses(self._capture, wanted, lambda entry: bool(passes) or entry in entries)
        for a in self._applications():
            if a.error and a.matcher_pass in passes:
                lines.append(f"  the pass raised: {a.error}")
        if found:
            lines += [f"  {line}" for line in nearest_lines(self._capture, found)]
        elif passes or entries:
            lines.append("  no node has the operator and the number of arguments with which the pattern ends")
        return lines_of([*lines, *self._open_lines()])


def _copied(graph: Any) -> Any:
    """A copy, or why there is none: the run goes on, and `assert_numbers` says it."""
    try:
        from .graphs import copied

        return copied(graph)
    except Exception as e:
        return e


def lines_of(lines: list[str]) -> str:
    """The lines as a message. A line break inside one, which a name or a constant of a graph may hold, begins no line."""
    return "\n".join(map(clean, lines))


def _names(record: Any) -> set[str]:
    variable, holder = record.get("variable") or [], record.get("holder") or []
    return {str(n) for n in (record.get("passName"), ".".join(variable), *variable[1:], *holder[1:2]) if n}


def _entry_names(entry: Any) -> set[str]:
    functions = [f["name"] for f in entry["functions"].values()]
    return {n for n in (entry.get("title"), *functions, *(f.rsplit(".", 1)[-1] for f in functions)) if n}


def name_of(pattern: Any) -> str:
    """How a message calls what a test asked about."""
    if isinstance(pattern, str):
        return pattern
    name = getattr(pattern, "pass_name", None) or getattr(pattern, "__qualname__", None)
    return str(name or type(pattern).__name__)


def recorder() -> ModuleType:
    """The recorder; importing it starts it, and here it only runs inside `record()`."""
    found = sys.modules.get("fusescope_capture")
    if found is not None:
        return found
    module = importlib.import_module("fusescope_capture")
    module.uninstall()
    return module


@functools.cache
def _temporary() -> str:
    """Other users of the machine see what is in the shared folder, and know the names of the next recordings there."""
    user = os.getuid() if hasattr(os, "getuid") else getpass.getuser()
    folder = os.path.join(tempfile.gettempdir(), f"fusescope-{user}")
    return folder if recorder().own_folder(folder) and not os.lstat(folder).st_mode & 0o077 else tempfile.mkdtemp(prefix="fusescope-")


def _default_path() -> str:
    test = re.sub(r"[^\w.-]+", "-", os.environ.get("PYTEST_CURRENT_TEST", "").split("::")[-1].split(" ")[0])
    folder = os.environ.get("FUSESCOPE_DIR") or _temporary()
    os.makedirs(folder, exist_ok=True)
    return os.path.join(folder, f"{test or 'run'}-{os.getpid()}-{next(_numbers)}.fusescope")


@contextlib.contextmanager
def without_caches() -> Iterator[None]:
    """A graph from a cache meets no pass, and the assertion would fail for that."""
    import torch._functorch.config
    import torch._inductor.config

    wanted = [
        (torch._inductor.config, ("fx_graph_cache", "fx_graph_remote_cache")),
        (torch._functorch.config, ("enable_autograd_cache", "enable_remote_autograd_cache")),
    ]
    with contextlib.ExitStack() as stack:
        for config, names in wanted:
            stack.enter_context(config.patch({n: False for n in names if hasattr(config, n)}))
        yield


@contextlib.contextmanager
def record(path: str | os.PathLike[str] | None = None) -> Iterator[Run]:
    """Records the passes that go over graphs inside the block, to `path` or to a file in the temporary folder (or in
    FUSESCOPE_DIR). Inductor's caches of graphs are off inside."""
    capture = recorder()
    run = Run(os.path.abspath(path) if path is not None else _default_path())
    capture.make_room(run.path)
    hits = capture.cache_hits()
    written, state = None, None
    try:
        with without_caches(), capture.recording(run.path) as (file, state):
            state.on_graph, state.on_end = run._keep, run._changed
            yield run
    finally:
        if state is not None:
            written = file.path
        run._hits = capture.cache_hits() - hits
        run._end(capture, written, state)
