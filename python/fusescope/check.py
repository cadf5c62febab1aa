"""Files of a live page in this process: they register their passes anew, which go over a copy of a recorded graph.

The page sends the script that `fusescope export --as script` writes: the files, their passes in order, and the runtime that runs
these (src/engine/export). Only its graph is replaced. Put back afterwards are modules, the path, hooks of Inductor, patterns of the
process's passes and registered operators; whatever else the files change stays.
"""

from __future__ import annotations

import contextlib
import ctypes
import gc
import io
import os
import shutil
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from typing import Any, Callable

import torch
from torch._inductor import config
from torch._inductor import pattern_matcher as pm

from .graphs import Numbers, compared, copied, fake_mode_of
from .recording import recorder

Json = Any
_HOOKS = [
    "enable_auto_functionalized_v2", "joint_custom_pre_pass", "joint_custom_post_pass", "pre_grad_custom_pass",
    "post_grad_custom_pre_pass", "post_grad_custom_post_pass", "custom_partitioner_fn", "_pre_fusion_custom_pass",
    "_post_fusion_custom_pass", "pre_grad_fusion_options", "post_grad_fusion_options",
]  # fmt: skip
SECONDS = 60
LARGEST = 32 << 20  # of a recording that the page gets, in bytes
_local = threading.local()


class TimeLimit(BaseException):
    """Raised in the thread of a check that does not end."""


def is_checking() -> bool:
    """True inside a check: the files may hold the `with fusescope.live()` that serves them."""
    return getattr(_local, "events", None) is not None


def check(
    script: str,
    module: torch.fx.GraphModule | None,
    graph: str,
    files: dict[str, str] | None = None,
    *,
    numbers: bool = False,
    case: bool = False,
) -> Json:
    """Counts, places and time of the script's passes on a copy of `module`; None: on the script's own graph of this name.
    `files`: the texts of the script's files, instead of those that it holds."""
    started = time.perf_counter()
    # Dynamo compiles under this lock, and registering traces as compiling does.
    from torch._dynamo.convert_frame import compile_lock

    messages, space = io.StringIO(), {"__name__": "fusescope_live_files"}
    events = _local.events = _Events()
    try:
        with compile_lock, _recorded() as recording, _apart() as kept, _listening(events), contextlib.redirect_stderr(messages):
            with _limited():
                _begin(space, script, files)
                found = _applied(space, module, graph, events, numbers, case)
    except TimeLimit:
        return {"error": f"The files did not end within {SECONDS} s, so they were stopped."}
    except BaseException as e:  # a file may call sys.exit or raise its own BaseException
        return {"error": f"{type(e).__name__}: {e}"[:4000]}
    finally:
        _local.events = None
        if "FOLDER" in space:
            shutil.rmtree(space["FOLDER"], ignore_errors=True)
    also = {"operators": sorted(kept), "messages": messages.getvalue()[-4000:], "totalMs": _ms(started)}
    return {**found, **also, "failed": list(space.get("failed", [])), "recording": recording()}


@contextlib.contextmanager
def _recorded() -> Iterator[Callable[[], str | None]]:
    """What the passes do inside is no part of the process's recording. Yields a function that returns, afterwards, a recording of
    its own: PyTorch's answer at each node. None: nothing was recorded, or too much to be read after each edit."""
    folder, text = tempfile.mkdtemp(prefix="fusescope-check-"), None
    try:
        with recorder().tried(os.path.join(folder, "check.fusescope")) as file:
            yield lambda: text
        if file.path is not None and os.path.getsize(file.path) <= LARGEST:
            with open(file.path, encoding="utf-8", errors="replace") as written:
                text = written.read()
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _ms(started: float) -> float:
    return round((time.perf_counter() - started) * 1000, 1)


def _begin(space: dict[str, Any], script: str, files: dict[str, str] | None) -> None:
    """Runs the script up to its files. The process's modules of their names make room; packages that only hold them stay."""
    exec(compile(script, "<fusescope live>", "exec"), space)
    if files is not None:
        # A text of the script alone was in no question.
        space["USER_FILES"] = {name: files.get(name, "") for name in space["USER_FILES"]}
    for name in space["USER_MODULES"]:
        names, child = _parent(name)
        module = sys.modules.pop(name, None)
        if module is not None and names.get(child) is module:
            del names[child]


def _applied(space: Json, module: Any, graph: str, events: _Events, numbers: bool, case: bool) -> Json:
    passes = space["load"]()
    recorded = module is not None
    with contextlib.ExitStack() as guard:
        if not recorded:
            guard.enter_context(space["guarded"]())
            module, mode = space["GRAPHS"][graph](space["GraphBuilder"]())
        else:
            module, mode = copied(module.graph), fake_mode_of(module.graph)
        return _counted(space, passes, module, mode, recorded, events, numbers, case)


def _counted(space: Json, passes: Any, module: Any, mode: Any, recorded: bool, events: _Events, numbers: bool, case: bool) -> Json:
    before = copied(module.graph)
    texts = _texts_of(module) if case else None
    events.applied.clear()  # registering traces, and a trace may be matched too
    started = time.perf_counter()
    counts = space["run_stages"](passes, space["STAGES"], space["OFF"], module, mode)
    ms = _ms(started)
    found: Json = {"counts": counts, "places": sorted(events.applied), "ms": ms}
    if texts:
        found["case"] = {**texts, "expected": {"passes": [{"pass": p, "count": n} for p, n in counts.items()]}}
    if numbers and not recorded:
        # Values come from running the nodes, and a graph's text is data: somebody may have sent it.
        found["noNumbers"] = "Values are compared for graphs that this process recorded. This graph was edited, or comes from elsewhere."
    elif numbers:
        module.graph.eliminate_dead_code()
        module.recompile()
        found["numbers"] = numbers_data(compared(before, module))
    return found


def _texts_of(module: torch.fx.GraphModule) -> Json:
    """The graph of a case (conformance/record.py)."""
    readable = module.print_readable(print_output=False, include_stride=True, include_device=True)
    return {"graph": str(module.graph), "readable": readable}


def numbers_data(numbers: Numbers) -> Json:
    """For the page."""
    return {
        "device": numbers.device,
        "outputs": numbers.outputs,
        "differences": [str(d) for d in numbers.differences[:5]],
        "first": str(numbers.first) if numbers.first else None,
        "msBefore": round(numbers.ms_before, 3),
        "msAfter": round(numbers.ms_after, 3),
    }


class _Events:
    """Where patterns were applied in this thread."""

    def __init__(self) -> None:
        self.applied: list[str] = []


@contextlib.contextmanager
def _listening(events: _Events) -> Iterator[None]:
    """Notes the anchors of applied matches in this thread."""
    undo = []

    def wrapped(inner: Any) -> Any:
        def apply(self: Any, match: Any, graph: Any, node: Any) -> Any:
            name = node.name
            result = inner(self, match, graph, node)
            mine = getattr(_local, "events", None)
            if mine is events:
                events.applied.append(name)
            return result

        return apply

    for cls in [pm.PatternEntry, *_subclasses(pm.PatternEntry)]:
        if "apply" in vars(cls):
            undo.append((cls, vars(cls)["apply"]))
            cls.apply = wrapped(vars(cls)["apply"])
    try:
        yield
    finally:
        for cls, inner in undo:
            cls.apply = inner


def _subclasses(cls: type) -> Iterator[type]:
    for sub in cls.__subclasses__():
        yield sub
        yield from _subclasses(sub)


@contextlib.contextmanager
def _apart() -> Iterator[set[str]]:
    """Puts back what files change of the interpreter, of Inductor's configuration, of the process's passes and of registered
    operators. Yields the operators that the files define and the process has."""
    finders, path, modules = sys.meta_path[:], sys.path[:], dict(sys.modules)
    attributes = {name: _of_parent(name) for name in modules}
    settings = {name: getattr(config, name) for name in _HOOKS if hasattr(config, name)}
    contents = {name: value.copy() for name, value in settings.items() if isinstance(value, (list, dict))}
    seen = getattr(pm, "_seen_patterns", set())
    known = set(seen)
    seen.clear()
    try:
        with _same_patterns(), _known_operators() as kept:
            yield kept
    finally:
        sys.meta_path[:], sys.path[:] = finders, path
        _restore_modules(modules, attributes)
        for name, value in settings.items():
            if name in contents:
                value.clear()
                (value.update if isinstance(value, dict) else value.extend)(contents[name])
            if getattr(config, name, value) is not value:
                setattr(config, name, value)
        seen.clear()
        seen.update(known)


def _parent(name: str) -> tuple[dict[str, Any], str]:
    """The names of the module's package, and its name there."""
    package, _, child = name.rpartition(".")
    return getattr(sys.modules.get(package), "__dict__", {}), child


def _of_parent(name: str) -> Any:
    names, child = _parent(name)
    return names.get(child)


def _restore_modules(modules: dict[str, Any], attributes: dict[str, Any]) -> None:
    """The modules of the files go; what PyTorch imports on demand stays."""
    now = dict(sys.modules)
    changed = [name for name, module in modules.items() if now.get(name) is not module]
    gone = [name for name, module in now.items() if name not in modules and _is_ours(module)]
    for name in gone:
        del sys.modules[name]
    sys.modules.update({name: modules[name] for name in changed})
    for name in (*changed, *gone):
        names, child = _parent(name)
        if attributes.get(name) is not None:
            names[child] = attributes[name]
        elif name in now and names.get(child) is now[name]:
            del names[child]


def _is_ours(module: Any) -> bool:
    """A module of the script's folder, a stub, or a package without a place, which holds files."""
    own = getattr(module, "__dict__", {})
    loader, places = type(own.get("__loader__")).__module__, own.get("__path__")
    if own.get("__file__"):
        return "fusescope_" in str(own["__file__"])
    return loader.startswith(("_fusescope", "fusescope_live_files")) or (places is not None and not list(places))


@contextlib.contextmanager
def _same_patterns() -> Iterator[None]:
    """Passes of the process keep their patterns: files may add theirs to a pass of a module that is no file."""
    classes = [pm.PatternMatcherPass, *_subclasses(pm.PatternMatcherPass)]
    passes = [p for p in gc.get_referrers(*classes) if isinstance(p, pm.PatternMatcherPass)]
    tables = [t for p in passes for t in (p.patterns, getattr(p, "seen_patterns", None)) if isinstance(t, dict)]
    saved = [(t, {key: list(entries) for key, entries in t.items()}) for t in tables]
    try:
        yield
    finally:
        for table, entries in saved:
            for key in [k for k in table if k not in entries]:
                del table[key]
            for key, value in entries.items():
                table.setdefault(key, [])[:] = value


@contextlib.contextmanager
def _known_operators() -> Iterator[set[str]]:
    """The process keeps its operators: files that define or implement one of them change nothing, because compiled code calls
    it. What files add is taken away. Yields the names of the operators that files define again."""
    from torch._library import custom_ops
    from torch.library import Library

    own: set[str] = set()
    kept: set[str] = set()
    libraries: list[Any] = []
    undo: list[tuple[type, str, Any]] = []

    def exists(name: str) -> bool:
        """`ns::name.overload`"""
        namespace, _, rest = name.partition("::")
        base, _, overload = rest.partition(".")
        packet = getattr(getattr(torch.ops, namespace), base, None)
        return isinstance(packet, torch._ops.OpOverloadPacket) and (overload or "default") in packet.overloads()

    def is_known(name: str) -> bool:
        return name not in own and exists(name)

    def wrap(cls: type, name: str, made: Callable[[Any], Any]) -> None:
        """Other threads register as ever."""
        inner = vars(cls).get(name)
        if inner is None:
            return
        outer = made(inner)

        def method(*args: Any, **kwargs: Any) -> Any:
            return (outer if is_checking() else inner)(*args, **kwargs)

        undo.append((cls, name, inner))
        setattr(cls, name, method)

    def begun(inner: Any) -> Any:
        def __init__(self: Any, ns: str, kind: str, *args: Any, **kwargs: Any) -> None:
            inner(self, ns, "FRAGMENT" if kind == "DEF" else kind, *args, **kwargs)
            libraries.append(self)

        return __init__

    def defined(inner: Any) -> Any:
        def define(self: Any, schema: str, *args: Any, **kwargs: Any) -> Any:
            short = schema.partition("(")[0].strip()
            name = f"{self.ns}::{short.rpartition('::')[2]}"
            if not exists(name):
                own.add(name)
                return inner(self, schema, *args, **kwargs)
            if name not in own:
                kept.add(name)
            return short

        return define

    def registered(inner: Any) -> Any:
        def register(self: Any, op: Any, *args: Any, **kwargs: Any) -> Any:
            if isinstance(op, torch._ops.OpOverload):
                name = op._schema.name + (f".{op._schema.overload_name}" if op._schema.overload_name else "")
            else:
                name = f"{self.ns}::{str(op).rpartition('::')[2]}"
            return None if is_known(name) else inner(self, op, *args, **kwargs)

        return register

    def made(inner: Any) -> Any:
        def __init__(self: Any, namespace: str, name: str, schema: str, fn: Any, *args: Any, **kwargs: Any) -> None:
            qualified = f"{namespace}::{name}"
            if not is_known(qualified):
                return inner(self, namespace, name, schema, fn, *args, **kwargs)
            kept.add(qualified)
            self._namespace, self._name, self._schema, self._init_fn = namespace, name, schema, fn
            self._opoverload = getattr(getattr(torch.ops, namespace), name).default
            vars(self).update(vars(custom_ops.OPDEFS.get(qualified, self)))

        return __init__

    def ignored(inner: Any) -> Any:
        def register(self: Any, *args: Any, **kwargs: Any) -> Any:
            if not is_known(self._qualname):
                return inner(self, *args, **kwargs)
            functions = [a for a in (*args, *kwargs.values()) if callable(a)]
            return functions[0] if functions else lambda f: f

        return register

    wrap(Library, "__init__", begun)
    wrap(Library, "define", defined)
    for name in ("impl", "_register_fake", "_register_torch_dispatch_rule", "_register_effectful_op"):
        wrap(Library, name, registered)
    wrap(custom_ops.CustomOpDef, "__init__", made)
    for name in [n for n in vars(custom_ops.CustomOpDef) if n.startswith("register_")]:
        wrap(custom_ops.CustomOpDef, name, ignored)
    try:
        yield kept
    finally:
        for cls, name, inner in undo:
            setattr(cls, name, inner)
        for name in own:
            custom_ops.OPDEFS.pop(name, None)
            custom_ops.OPDEF_TO_LIB.pop(name, None)
        for library in libraries:
            library._destroy()


@contextlib.contextmanager
def _limited() -> Iterator[None]:
    """Ends Python code that does not end; a call of C cannot be ended, nor code that goes on after each exception."""
    thread = ctypes.c_ulong(threading.get_ident())
    ended, lock = threading.Event(), threading.Lock()

    def stop() -> None:
        wait = SECONDS
        while not ended.wait(wait):
            with lock:
                if not ended.is_set():
                    ctypes.pythonapi.PyThreadState_SetAsyncExc(thread, ctypes.py_object(TimeLimit))
            wait = 1

    def end() -> None:
        with lock:
            ended.set()
            ctypes.pythonapi.PyThreadState_SetAsyncExc(thread, None)

    threading.Thread(target=stop, daemon=True).start()
    try:
        yield
    finally:
        try:
            end()
        finally:
            end()  # the exception may have come in the first
