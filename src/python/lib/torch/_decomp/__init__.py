"""torch._decomp: the decomposition tables, by operator. The tracer owns PyTorch's decompositions; a user's own function
replaces one in a table that get_decomp_fn returns."""

import functools
from collections import defaultdict

from _fusescope import engine, callables, partial_modules
from torch._ops import OpOverload, OpOverloadPacket, overload_named

from . import _names


class Decomposition:
    """One of PyTorch's decompositions: `own` is true for Inductor's own version of one that PyTorch has too."""

    def __init__(self, name, own):
        self.__name__, self._own = name, own

    def __call__(self, *args, **kwargs):
        raise NotImplementedError(
            f"Fusescope cannot call the decomposition of {self.__name__}; call the operator in a trace"
        )


def _expanded(text):
    for word in text.split():
        packet, *overloads = word.split("/")
        full = packet if "." in packet else f"aten.{packet}"
        yield from (f"{full}.{o}" for o in overloads or ("default",))


@functools.cache
def _set(section):
    return frozenset(_expanded(getattr(_names, section)))


def _inductor():
    return {n: Decomposition(n, True) for s in ("BOTH", "DIFFERENT", "INDUCTOR_ONLY") for n in sorted(_set(s))}


def _registered():
    return {
        n: Decomposition(n, s != "DIFFERENT") for s in ("BOTH", "DIFFERENT", "REGISTERED_ONLY") for n in sorted(_set(s))
    }


def _core():
    names = (_set("BOTH") | _set("DIFFERENT") | _set("INDUCTOR_ONLY") | _set("CORE_ONLY")) - _set("NOT_CORE")
    return {n: Decomposition(n, n not in _set("DIFFERENT")) for n in sorted(names | _set("CORE_OUT"))}


def _by_operator(table):
    """The table by OpOverload; an operator that the thin torch lacks is left out."""
    made = {}
    for name, function in table.items():
        try:
            made[overload_named(name)] = function
        except (AttributeError, NotImplementedError):
            continue
    return made


@functools.cache
def _registry():
    return _by_operator(_registered())


def inductor_table():
    return _by_operator(_inductor())


def core_aten_decompositions():
    return _by_operator(_core())


def get_decompositions(aten_ops, type="post_autograd"):
    """The registered decompositions of these operators; a packet stands for its overloads."""
    by_packet = defaultdict(list)
    for op in _registry():
        by_packet[
            op.overloadpacket._qualified_op_name
            if hasattr(op.overloadpacket, "_qualified_op_name")
            else str(op.overloadpacket)
        ].append(op)
    found = {}
    for op in aten_ops:
        if isinstance(op, OpOverloadPacket):
            key = op._qualified_op_name if hasattr(op, "_qualified_op_name") else str(op)
            found.update((o, _registry()[o]) for o in by_packet.get(key, ()))
        elif isinstance(op, OpOverload) and op in _registry():
            found[op] = _registry()[op]
    return found


def remove_decompositions(decompositions, aten_ops):
    for op in aten_ops:
        for key in [k for k in decompositions if k == op or getattr(k, "overloadpacket", None) == op]:
            decompositions.pop(key)


def register_decomposition(aten_op, registry=None, *, type="post_autograd", unsafe=False):
    """Adds the function to a registry; without one, to that of torch._decomp."""

    def decorator(fn):
        for op in aten_op if isinstance(aten_op, (list, tuple)) else [aten_op]:
            overloads = op.op_overloads() if isinstance(op, OpOverloadPacket) else [op]
            for overload in overloads:
                (_registry() if registry is None else registry)[overload] = fn
        return fn

    return decorator


def number(table):
    """The engine's number of a table; None for Inductor's own, unchanged."""
    given, custom, core = set(), [], []
    for op, function in table.items():
        name = getattr(op, "_fusescope_op", None) or str(op)
        given.add(name)
        if not isinstance(function, Decomposition):
            custom.append([name, callables.number(function)])
        elif not function._own:
            core.append(name)
    known = set().union(*map(_set, ("BOTH", "DIFFERENT", "INDUCTOR_ONLY", "REGISTERED_ONLY")))
    inductor = known - _set("REGISTERED_ONLY")
    if not custom and not core and inductor <= given | _lacking() and not given & _set("REGISTERED_ONLY"):
        return None
    return engine.decompositions(sorted(known - given), core, custom)


@functools.cache
def _lacking():
    """Names whose operator the thin torch lacks."""
    return frozenset(_inductor()) - {op._fusescope_op for op in _by_operator(_inductor())}


def __getattr__(name):
    if name == "decomposition_table":
        return _registry()
    return _partial(name)


_partial = partial_modules.of_pytorch(__name__)
