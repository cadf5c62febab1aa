"""The operators in torch.ops: any name, except operators that a library builds for some chips only."""

import contextlib
import dis
import functools
import itertools
import re
from collections.abc import Callable, Iterator
from types import FrameType
from typing import Any

from . import engine, environment, frames, stubs
from .source import positions

_CUDA = ("cuda-sm80", "cuda-sm89", "cuda-sm90", "cuda-sm100")
# namespace → operator → its platforms
_BUILT_FOR = {
    # vLLM declares scaled_fp4_quant in each build for CUDA; its kernel raises on chips without FP4.
    "_C": {"scaled_fp4_quant": _CUDA}
    | dict.fromkeys(
        (
            "silu_and_mul_nvfp4_quant",
            "cutlass_scaled_fp4_mm",
            "silu_and_mul_scaled_fp4_experts_quant",
            "scaled_fp4_experts_quant",
        ),
        ("cuda-sm100",),
    ),
    "vllm": dict.fromkeys(("bmm_fp8", "flashinfer_mm_fp4"), _CUDA),
    "npu": dict.fromkeys(
        (
            "npu_dynamic_mx_quant",
            "npu_add_rms_norm_dynamic_mx_quant",
            "npu_rms_norm_dynamic_mx_quant",
            "npu_swiglu_mx_quant",
        ),
        ("ascend-a5",),
    ),
}
# Namespaces of one vendor's kernels without operators in the catalog.
_OF_VENDORS = {"_xpu_C": "xpu"}
# Namespaces of PyTorch without operators in the catalog.
_OF_PYTORCH = frozenset(
    "_c10d_functional _c10d_functional_autograd _dtensor _quantized c10d c10d_functional cpu cuda debugprims export fsdp "
    "higher_order image inductor mkl mkldnn mkldnn_prepacked onednn prepacked prim prims profiler quantized "
    "quantized_decomposed rngprims sparse static_runtime streams symm_mem torchvision xnnpack".split()
)
_declared = set()
_tags = {}  # overload → tags of its declaration
_composites = {}  # overload → its CompositeImplicitAutograd body, which tracing records in its place
_bodies = {}  # overload → (rank of its dispatch key, the user's function that computes it)
_running = []  # overloads whose bodies are being traced, innermost last


def define(namespace: str, schema: str, tags: list | tuple = (), overwrite: bool = False) -> None:
    """Declares a user's operator, which then exists on any platform; with `overwrite` in place of an earlier one."""
    if "(" not in schema:
        raise RuntimeError("Tried to parse a function schema but only the operator name was given")
    name, _, overload = schema.split("(")[0].strip().rpartition("::")[2].partition(".")
    qualified = f"{namespace}.{name}.{overload or 'default'}"
    engine.define(namespace, schema, overwrite)
    _declared.add((namespace, name))
    _tags[qualified] = [tags] if hasattr(tags, "value") else list(tags)


def define_composite(overload: str, fn: Callable) -> None:
    _composites[overload] = fn


def composite(overload: str) -> Any:
    """The CompositeImplicitAutograd body of `ns.op.overload`; None for any other operator."""
    return _composites.get(overload)


# A function for any device before one for a device.
_BODY_KEYS = (
    "CompositeExplicitAutograd",
    "CompositeExplicitAutogradNonFunctional",
    "CUDA",
    "CPU",
    "XPU",
    "PrivateUse1",
)


def define_body(overload: str, fn: Callable, key: str) -> None:
    """A Python function that computes the operator for a dispatch key, or a device as torch.library.impl names it."""
    key = {"default": "CompositeExplicitAutograd", "cuda": "CUDA", "cpu": "CPU", "xpu": "XPU"}.get(key, key)
    rank = _BODY_KEYS.index(key) if key in _BODY_KEYS else len(_BODY_KEYS)
    if (key in _BODY_KEYS or key.islower()) and (overload not in _bodies or rank <= _bodies[overload][0]):
        _bodies[overload] = rank, fn


def bodies() -> list[list]:
    """[overload, [file, line, name]] of each operator that a user's function computes."""
    found = [(overload, positions.position_of(fn)) for overload, (_, fn) in _bodies.items()]
    return [[overload, place] for overload, place in found if place]


@contextlib.contextmanager
def running(overload: str) -> Iterator:
    """Traces a body: inside, operators with a body of their own run it too."""
    if overload in _running:
        raise RecursionError(f"the body of {overload} calls {overload}")
    _running.append(overload)
    try:
        yield _bodies[overload][1]
    finally:
        _running.pop()


def implementation(overload: str) -> Callable | None:
    """What a call runs in place of the operator: its composite body; inside a body, another operator's body; or None."""
    if overload in _composites:
        return _composites[overload]
    if _running and overload in _bodies and positions.position_of(_bodies[overload][1]):
        return functools.partial(_nested, overload)
    return None


def _nested(overload, *args, **kwargs):
    with running(overload) as body:
        return body(*args, **kwargs)


def tags(overload: str) -> list:
    """The tags that user code declared; empty for an operator of a library."""
    return _tags.get(overload, [])


def by_platform(namespace: str, name: str) -> bool:
    return name in _BUILT_FOR.get(namespace, ())


def asks(frame: FrameType) -> bool:
    """True if a user's line asks by hasattr, by getattr with a default, or in a `try` that catches AttributeError. Any other
    attribute names an operator to use."""
    if not frame.f_code.co_filename.startswith(frames.WORKSPACE):
        return False
    return _asks_by_call(frame) or _catches(frame)


def _catches(frame):
    """True where the innermost handler around the running instruction names AttributeError."""
    code = dis.Bytecode(frame.f_code)
    handler = next((e.target for e in code.exception_entries if e.start <= frame.f_lasti < e.end), None)
    after = (i for i in code if handler is not None and i.offset >= handler)
    return any(i.argval == "AttributeError" for i in itertools.takewhile(lambda i: i.opname != "RERAISE", after))


def _asks_by_call(frame):
    code = frame.f_code
    if not dis.opname[code.co_code[frame.f_lasti]].startswith("CALL"):
        return False
    line, _, column, _ = list(code.co_positions())[frame.f_lasti // 2]
    lines = frames.sources.get(code.co_filename, "").splitlines()
    text = lines[line - 1].encode()[column:] if line and line <= len(lines) else b""
    return not text.startswith(b"getattr(") or code.co_code[frame.f_lasti + 1] > 2


def known(namespace: str, name: str) -> bool:
    """The recorded answer of hasattr: True for an operator that is declared, called in the graph or in the catalog. Where no
    list of the namespace is complete, the answer is a stub's."""
    if namespace == "higher_order" or (namespace, name) in _declared:
        return True
    found = engine.known_operator(f"{namespace}.{name}")
    if found is True:
        # Called in the graph only, because the file that made the graph had declared it: this file does too.
        return bool(engine.overloads(f"{namespace}.{name}")) or not _declared_by_file(namespace, name)
    if namespace in _OF_VENDORS:
        return environment.answer(
            f"hasattr(torch.ops.{namespace}, {name!r})", environment.vendor() == _OF_VENDORS[namespace]
        )
    answer = namespace in _OF_PYTORCH
    if answer or found == "uncertain":
        why = "PyTorch's operators are not listed here" if answer else f"the catalog of {namespace} may lack it"
        return stubs.decides(f"torch.ops.{namespace}", name, answer, f"{answer} ({why})")
    return environment.answer(f"hasattr(torch.ops.{namespace}, {name!r})", False)


def _declared_by_file(namespace, name):
    """True for an operator that a file declares after its question, as in `if not hasattr(…): lib.define(…)`."""
    ns, op = re.escape(namespace), re.escape(name)
    declares = re.compile(rf"""\bdefine\(\s*f?["'](?:{ns}::)?{op}["'(]|\bcustom_op\(\s*["']{ns}::{op}["']""")
    return any(declares.search(text) for text in frames.sources.values())


def there(namespace: str, name: str) -> bool:
    """True if this platform has a platform-dependent operator; records the query."""
    # Code for another chip can still refer to its operators.
    foreign = namespace == "npu" and environment.vendor() != "ascend"
    found = foreign or (namespace, name) in _declared or environment.platform() in _BUILT_FOR[namespace][name]
    return environment.answer(f"hasattr(torch.ops.{namespace}, {name!r})", found)
