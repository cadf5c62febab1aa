"""Predicates on symbolic sizes, answered by the tracer."""

from _fusescope import partial_modules as _partial
from _fusescope.torch_version import is_since
import dataclasses
import enum
import functools
import operator

from torch._sym_functions import GuardOnDataDependentSymNode  # noqa: F401
from torch._types import SymBool, SymFloat, SymInt
from torch.types import py_sym_types  # noqa: F401


def _static(x):
    """The value of a relation for all values of its symbols, or None."""
    if isinstance(x, SymBool):
        return x._decided("static")
    if not isinstance(x, bool):
        raise AssertionError(f"Expected bool, got {type(x)}")
    return x


def statically_known_true(x):
    return _static(x) is True


def statically_known_false(x):
    return _static(x) is False


def sym_and(x, *others):
    return functools.reduce(operator.and_, others, x)


def sym_or(x, *others):
    return functools.reduce(operator.or_, others, x)


def sym_eq(x, y):
    """x == y, item by item in lists and tuples."""
    if isinstance(x, (list, tuple)) and isinstance(y, (list, tuple)):
        return len(x) == len(y) and functools.reduce(operator.and_, map(sym_eq, x, y), True)
    if not isinstance(x, (int, SymInt)) or not isinstance(y, (int, SymInt)):
        raise AssertionError(f"unexpected sym_eq between {type(x)} {type(y)}")
    return x == y


def _guard_or(x, default):
    """A symbol without a size has no value to guard on."""
    known = _static(x)
    if known is not None:
        return known
    return default if free_unbacked_symbols(x) else bool(x)


def guard_or_false(x):
    return _guard_or(x, False)


def guard_or_true(x):
    return _guard_or(x, True)


definitely_true = guard_or_false


def is_symbolic(x):
    return isinstance(x, (SymBool, SymFloat, SymInt))


def free_symbols(x):
    """The symbols in a size, a relation, a tensor, or a list of such, as text."""
    if isinstance(x, (list, tuple, set)):
        return set().union(*map(free_symbols, x))
    if hasattr(x, "shape"):
        return free_symbols([*x.shape, *x.stride()])
    return x.node.expr.free_symbols if is_symbolic(x) else set()


def has_free_symbols(x):
    return bool(free_symbols(x))


def free_unbacked_symbols(x):
    """Symbols without a size: `u0`."""
    return {s for s in free_symbols(x) if s.startswith(("u", "zuf"))}


def has_free_unbacked_symbols(x):
    return bool(free_unbacked_symbols(x))


def guard_int(a):
    if not isinstance(a, SymInt) and type(a) is not int:
        raise AssertionError(f"Expected int, got {a}")
    return int(a)


def guard_bool(a):
    return bool(a)


def guard_float(a):
    return float(a)


def guard_scalar(a):
    return (
        int(a)
        if isinstance(a, SymInt)
        else float(a)
        if isinstance(a, SymFloat)
        else bool(a)
        if isinstance(a, SymBool)
        else a
    )


def guard_size_oblivious(x):
    return statically_known_true(x)


def is_concrete_int(a):
    return isinstance(a, int)


is_concrete_bool, is_concrete_float = (lambda a: isinstance(a, bool)), (lambda a: isinstance(a, float))


def optimization_hint(a, fallback=None):
    """A number for a size: the fallback where it is symbolic and the environment gives no value."""
    if isinstance(a, SymInt) and fallback is not None:
        number = a._hint()
        return fallback if number is None else number
    return int(a)


def guarding_hint_or_throw(a):
    return a if isinstance(a, (bool, int)) else int(a)


class ShapeEnv:
    """The environment of symbolic sizes; the tracer holds the real one, so each of its questions is an error."""

    def __init__(self, **options):
        pass

    def __getattr__(self, name):
        raise NotImplementedError(
            f"Fusescope has no ShapeEnv.{name}: the sizes of a dump are text, without guards or ranges"
        )


class DimDynamic(enum.Enum):
    """How a size of an input is made."""

    DYNAMIC, DUCK, STATIC, UNBACKED, INFER_STRIDE = range(5)


class SymbolicContext:
    """How the sizes of an input are made."""


@dataclasses.dataclass(frozen=True, slots=True)
class StatelessSymbolicContext(SymbolicContext):
    dynamic_sizes: list
    dynamic_strides: list = None
    constraint_sizes: list = None
    constraint_strides: list = None
    specialize_on: list = None
    view_base_context: SymbolicContext = None
    shape_ids: dict = None
    unbacked_bounds: dict = None

    def __post_init__(self):
        many = len(self.dynamic_sizes)
        defaults = {
            "specialize_on": [[] for _ in range(many)],
            "dynamic_strides": [DimDynamic.INFER_STRIDE] * many,
            "constraint_sizes": [None] * many,
            "constraint_strides": [None] * many,
        }
        for name, value in defaults.items():
            if getattr(self, name) is None:
                object.__setattr__(self, name, value)


_lookup = _partial.of_pytorch(__name__)


def __getattr__(name):
    # Names before 2.14.
    return optimization_hint if name in ("hint_int", "size_hint") and not is_since("2.14") else _lookup(name)
