"""Predicates on symbolic sizes, answered by the tracer."""
from torch._types import SymInt


def statically_known_true(x):
    return x is True


def guard_or_false(x):
    return x is True


def guard_or_true(x):
    return x is not False


definitely_true = guard_or_false


def is_symbolic(x):
    return isinstance(x, SymInt)


def free_symbols(x):
    return {str(x)} if isinstance(x, SymInt) else set()


def hint_int(x, fallback=None):
    return int(x) if not isinstance(x, SymInt) or fallback is None else fallback
