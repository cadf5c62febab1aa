"""Copies of graphs, and their values: a graph before its passes and the same graph after them on the same inputs."""

from __future__ import annotations

import contextlib
import copy
import math
import statistics
import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import torch
from torch.utils._pytree import tree_leaves, tree_map_only

# A size of a graph whose symbol has no hint.
UNKNOWN_SIZE = 8
RUNS = 5
# As torch.testing.assert_close: (relative, absolute) by dtype.
TOLERANCES = {
    torch.float16: (1e-3, 1e-5),
    torch.bfloat16: (1.6e-2, 1e-5),
    torch.float32: (1.3e-6, 1e-5),
    torch.float64: (1e-7, 1e-7),
}
# What these return has values only once a later node writes them.
UNWRITTEN = {"empty", "empty_like", "empty_permuted", "empty_strided", "new_empty", "new_empty_strided"}


def copied(graph: torch.fx.Graph) -> torch.fx.GraphModule:
    """A copy that passes may change. It shares the metadata, and the constants that the graph reads."""
    new = torch.fx.Graph()
    output = new.graph_copy(graph, {}, return_output_node=True)
    if output is not None:
        value, old = output
        new.output(value).meta.update(old.meta)
    return torch.fx.GraphModule(graph.owning_module or torch.nn.Module(), new)


def fake_mode_of(graph: torch.fx.Graph) -> Any:
    """The mode of the graph's fake tensors; None: it has none."""
    return next((v.fake_mode for v in map(_val, graph.nodes) if hasattr(v, "fake_mode")), None)


def _val(node: torch.fx.Node) -> Any:
    return node.meta.get("val", node.meta.get("example_value"))


def _device_of(graph: torch.fx.Graph) -> torch.device:
    """An accelerator, if the graph names one: sizes and indices are on the CPU there too."""
    devices = [v.device for v in tree_leaves([_val(n) for n in graph.nodes]) if isinstance(v, torch.Tensor)]
    return next((d for d in devices if d.type != "cpu"), torch.device("cpu"))


@dataclass
class Difference:
    """A value that the passes changed: of an output, an input, or a node that both graphs have. NaN: these are no numbers apart."""

    name: str
    absolute: float
    relative: float

    def __str__(self) -> str:
        if math.isnan(self.absolute):
            return self.name
        return f"{self.name}: the greatest difference is {self.absolute:.3g}, relative {self.relative:.3g}"


@dataclass
class Numbers:
    """What the same inputs gave before and after the passes. `device`: where both ran; `ms`: medians."""

    device: str
    outputs: int
    differences: list[Difference]
    first: Difference | None
    ms_before: float
    ms_after: float


def _size(value: Any) -> int:
    if isinstance(value, int):
        return value
    node = getattr(value, "node", None)
    hint = getattr(node, "hint", None)
    return hint if isinstance(hint, int) else UNKNOWN_SIZE


def _input(value: Any, generator: torch.Generator) -> Any:
    """A random tensor of the layout of a fake one. Whole numbers are 0 and 1, which are an index in any dimension above 1."""
    if not isinstance(value, torch.Tensor):
        return _size(value) if isinstance(value, torch.SymInt) else value
    shape, stride = [_size(s) for s in value.shape], [_size(s) for s in value.stride()]
    # Elements may share memory (expand), or leave some of it out.
    size = 1 + sum((n - 1) * step for n, step in zip(shape, stride)) if all(shape) else 0
    if value.is_floating_point() or value.is_complex():
        made = torch.randn(size, generator=generator, dtype=torch.complex64 if value.is_complex() else torch.float32)
    else:
        made = torch.randint(0, 2, (size,), generator=generator)
    return made.to(value.dtype).to(value.device).as_strided(shape, stride)


def _inputs(graph: torch.fx.Graph) -> dict[str, Any]:
    generator = torch.Generator().manual_seed(0)
    return {n.name: _input(_val(n), generator) for n in graph.nodes if n.op == "placeholder"}


def _cloned(value: Any) -> Any:
    """A copy with the same layout."""
    if not isinstance(value, torch.Tensor):
        return value
    size = value.untyped_storage().nbytes() // value.element_size()
    return value.as_strided((size,), (1,), 0).clone().as_strided(value.shape, value.stride(), value.storage_offset())


class _Apart(torch.fx.Interpreter):
    """Runs with copies of the state that the graph reads: neither the process nor another run sees what it writes."""

    def __init__(self, module: torch.fx.GraphModule, **options: Any) -> None:
        super().__init__(module, **options)
        memo: dict[int, Any] = {}  # one for all: tensors that share memory share it in the copies
        targets = {str(n.target) for n in module.graph.nodes if n.op in ("get_attr", "call_module")}
        self.state = {t: self._state_copy(super(_Apart, self).fetch_attr(t), memo) for t in sorted(targets)}

    @staticmethod
    def _state_copy(value: Any, memo: dict[int, Any]) -> Any:
        try:
            return copy.deepcopy(value.detach() if isinstance(value, torch.Tensor) else value, memo)
        except Exception:
            return value  # such as a process group, of which there is one

    def fetch_attr(self, target: str) -> Any:
        return self.state[target]


class _Kept(_Apart):
    """Keeps the value of each node."""

    def __init__(self, module: torch.fx.GraphModule) -> None:
        super().__init__(module, garbage_collect_values=False)
        self.values: dict[str, Any] = {}

    def run_node(self, n: torch.fx.Node) -> Any:
        value = super().run_node(n)
        # A later node may write to the tensor.
        self.values[n.name] = tree_map_only(torch.Tensor, torch.Tensor.clone, value)
        return value


@contextlib.contextmanager
def _seeded(device: torch.device) -> Iterator[None]:
    """Each run draws the same numbers, and the process's generators stay as they are."""
    own = None if device.type == "cpu" else getattr(torch, device.type, None)
    every = "_all" if hasattr(own, "get_rng_state_all") else ""
    cpu, state = torch.get_rng_state(), getattr(own, f"get_rng_state{every}", lambda: None)()
    try:
        torch.default_generator.manual_seed(0)
        getattr(own, f"manual_seed{every}", lambda _: None)(0)
        yield
    finally:
        torch.set_rng_state(cpu)
        getattr(own, f"set_rng_state{every}", lambda _: None)(state)


@dataclass
class _Ran:
    """Outputs, inputs after the run by name, and values of nodes by name."""

    outputs: list[Any]
    inputs: dict[str, Any]
    values: dict[str, Any]


def _run(module: torch.fx.GraphModule, inputs: dict[str, Any], device: torch.device) -> _Ran:
    kept, given = _Kept(module), {name: _cloned(v) for name, v in inputs.items()}
    with torch.no_grad(), _seeded(device):
        result = kept.run(*given.values())
    return _Ran(tree_leaves(result), given, kept.values)


def _ms(module: torch.fx.GraphModule, inputs: dict[str, Any], device: torch.device) -> float:
    wait = getattr(getattr(torch, device.type, None), "synchronize", lambda: None)
    times = []
    with torch.no_grad(), _seeded(device):
        for _ in range(RUNS):
            given, interpreter = [_cloned(v) for v in inputs.values()], _Apart(module)
            wait()
            began = time.perf_counter()
            interpreter.run(*given)
            wait()
            times.append((time.perf_counter() - began) * 1000)
    return statistics.median(times)


def _difference(name: str, a: Any, b: Any, rtol: float | None, atol: float | None) -> Difference | None:
    """None: both, or all tensors of both, are equal within the tolerance."""
    ours, theirs = tree_leaves(a), tree_leaves(b)
    if len(ours) != len(theirs):
        return _unlike(f"{name} has {len(theirs)} values after the passes, {len(ours)} before")
    found = (_difference_of_leaves(name, x, y, rtol, atol) for x, y in zip(ours, theirs))
    return next((d for d in found if d is not None), None)


def _difference_of_leaves(name: str, a: Any, b: Any, rtol: float | None, atol: float | None) -> Difference | None:
    if not isinstance(a, torch.Tensor) or not isinstance(b, torch.Tensor):
        same = a is b or a == b or (a != a and b != b)
        return None if same else _unlike(f"{name} is {b!r} after the passes, {a!r} before"[:500])
    if a.shape != b.shape or a.dtype != b.dtype:
        return _unlike(f"{name} is {_kind(b)} after the passes, {_kind(a)} before")
    x, y = _parts(a), _parts(b)
    relative, absolute = TOLERANCES.get(x.dtype, (0.0, 0.0))
    relative, absolute = relative if rtol is None else rtol, absolute if atol is None else atol
    x, y = x.to(torch.float64), y.to(torch.float64)
    if torch.allclose(y, x, rtol=relative, atol=absolute, equal_nan=True):
        return None
    apart = (x - y).abs().masked_fill((x == y) | (x.isnan() & y.isnan()), 0).nan_to_num(nan=float("inf"))
    return Difference(name, float(apart.max()), float((apart / x.abs().clamp_min(1e-12)).nan_to_num(nan=float("inf")).max()))


def _parts(value: torch.Tensor) -> torch.Tensor:
    """Real numbers on the CPU if the device has no float64."""
    value = value.detach().cpu() if value.device.type == "mps" else value.detach()
    return torch.view_as_real(value.resolve_conj()) if value.is_complex() else value


def _unlike(text: str) -> Difference:
    return Difference(text, float("nan"), float("nan"))


def _kind(value: torch.Tensor) -> str:
    return f"{str(value.dtype).replace('torch.', '')}{list(value.shape)}"


def _has_values(node: torch.fx.Node) -> bool:
    if node.op == "output":
        return False
    name = node.target if isinstance(node.target, str) else getattr(node.target, "__name__", "")
    return not node.op.startswith("call_") or name.partition(".")[0] not in UNWRITTEN


def compared(
    before: torch.fx.GraphModule, after: torch.fx.GraphModule, rtol: float | None = None, atol: float | None = None
) -> Numbers:
    """Runs both graphs, operator by operator, on the same random inputs and on the device that the graph names: outputs, and
    what the runs wrote to their inputs."""
    device = _device_of(before.graph)
    from torch._subclasses.fake_tensor import unset_fake_temporarily

    with unset_fake_temporarily():
        inputs = _inputs(before.graph)
        a, b = _run(before, inputs, device), _run(after, inputs, device)
        pairs = [(f"output {i}", *pair) for i, pair in enumerate(zip(a.outputs, b.outputs))]
        pairs += [(f"input {name} after the run", v, b.inputs[name]) for name, v in a.inputs.items()]
        differences = [d for d in (_difference(*pair, rtol, atol) for pair in pairs) if d is not None]
        if len(a.outputs) != len(b.outputs):
            differences.insert(0, _unlike(f"{len(b.outputs)} outputs after the passes, {len(a.outputs)} before"))
        nodes = [n.name for n in before.graph.nodes if n.name in b.values and _has_values(n)] if differences else []
        found = (_difference(name, a.values[name], b.values[name], rtol, atol) for name in nodes)
        first = next((d for d in found if d is not None), None)
        return Numbers(
            str(device), len(a.outputs), differences, first, _ms(before, inputs, device), _ms(after, inputs, device)
        )
