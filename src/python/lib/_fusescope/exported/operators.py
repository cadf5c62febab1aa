"""
What an exported graph may hold and compute: operators that give tensors and numbers from tensors and numbers, and those that the user's
files name. The others are placeholders that nobody can call.
"""

import contextlib
import functools
import re

import torch
from torch._ops import OpOverload, OpOverloadPacket
from torch.utils import _pytree as pytree

_libraries = []  # operators exist as long as their Library
own_functions = {}  # those that the imported files define, by their dotted names


@functools.cache
def function(name):
    """Returns the function that the user's files define under this name, or a placeholder that raises. Imports nothing."""
    if name in own_functions:
        return own_functions[name]

    def missing(*args, **kwargs):
        raise NotImplementedError(name)

    # torch.fx writes these names into the code of the graph.
    missing.__name__ = missing.__qualname__ = "missing_" + re.sub(r"\W", "_", name, flags=re.ASCII)[-100:]
    missing.__module__ = "fusescope_placeholders"
    return missing


# Namespaces whose operators do more than compute values: they print, or talk to other processes.
_EFFECTS = {"prim", "profiler", "debugprims", "debug_mode_ops", "rpc", "symm_mem", "_c10d_functional", "c10d"}
_OWN = {"aten", "prims", "quantized_decomposed", "rngprims", "inductor", "streams", "mempool", "fsdp", *_EFFECTS}
own_words = set()  # of the imported files


def _computes(target):
    """True for an operator of PyTorch's dispatcher that gives tensors or numbers from tensors and numbers, over fake tensors alone."""
    if not isinstance(target, OpOverload) or target.namespace in _EFFECTS or not _runs_over_fakes(target):
        return False
    if target.namespace in _OWN:
        return _is_dispatched(target)
    return _has(target, "Meta") or not target._schema.returns


def _runs_over_fakes(op):
    """
    False for what runs its kernel over fake tensors too: what a library registers for all keys at once, which may take an address (vLLM's
    _C_custom_ar::dispose), and what PyTorch lets fall back.
    """
    if op.namespace in _OWN or not _takes_values(op):
        return _takes_values(op)
    if not _is_dispatched(op) or _has(op, "CompositeImplicitAutograd"):
        return False
    return _has(op, "Meta") or not (_has(op, "CompositeExplicitAutograd") or op.namespace in _FALL_BACK)


_FALL_BACK = {"vision", "torchtext", "torchaudio", "quantized", "xla", "fbgemm"}


def _has(op, key):
    return torch._C._dispatch_has_kernel_for_dispatch_key(op.name(), key)


def _is_dispatched(op):
    """False for an operator of TorchScript's interpreter."""
    try:
        torch._C._dispatch_find_schema_or_throw(op._schema.name, op._schema.overload_name)
    except RuntimeError:
        return False
    return True


@functools.cache
def is_tensor_method(name):
    """True for the name of a method that is an operator of ATen which only computes."""
    packet = getattr(torch.ops.aten, name, None)
    return isinstance(packet, OpOverloadPacket) and any(_computes(getattr(packet, o)) for o in packet.overloads())


def _takes_values(target):
    """False for an operator on a text or a number that may be a file's name or an address, on storage, or on objects of a library."""
    kinds = [str(a.type) for a in target._schema.arguments]
    own = r"Tensor|number|float" if any("str" in k for k in kinds) else r"Tensor|number|float|int|bool|Layout|Device"
    wanted = own if target.namespace in _OWN else "Tensor"
    return any(re.search(wanted, k) for k in kinds) and not any(
        re.search(r"Storage|Stream|__torch__", k) for k in kinds
    )


def _held(value):
    """A target or an argument of a graph: passes may call what a graph holds, so an operator that does more is a stand-in there."""
    if isinstance(value, OpOverloadPacket):
        overloads = [getattr(value, name) for name in value.overloads()]
        return value if all(_held(op) is op for op in overloads) else function(str(value))
    if not isinstance(value, OpOverload) or _runs_over_fakes(value):
        return value
    return value if {value.namespace, value._schema.name.partition("::")[2]} <= own_words else _stand_in(value)


def _all_held(values):
    return pytree.tree_map_only((OpOverload, OpOverloadPacket), _held, values)


@functools.cache
def _stand_in(op):
    """An operator with the same schema that has no kernel, so that nobody can call it."""
    name, schema = "only_named_" + re.sub(r"\W", "_", op.name()), str(op._schema)
    try:
        _libraries.append(torch.library.Library("fusescope_placeholders", "FRAGMENT"))
        _libraries[-1].define(name + schema[schema.index("(") :])
    except RuntimeError:
        return function(op.name())
    made = getattr(torch.ops.fusescope_placeholders, name).default
    if torch.fx.Graph().call_function(op).is_impure():
        torch.fx.node._side_effectful_functions.add(made)
    return made


def visible(text):
    """A name or a message without what a terminal would obey."""
    return "".join(c if c.isprintable() else repr(c)[1:-1] for c in text)


@contextlib.contextmanager
def only_named(graph):
    """Operators that the user's files name are stand-ins meanwhile: nothing calls them with what the graph holds."""
    instead = {}

    def hidden(value):
        if not isinstance(value, OpOverload) or _runs_over_fakes(value):
            return value
        instead[_stand_in(value)] = value
        return _stand_in(value)

    _swap(graph, hidden)
    try:
        yield
    finally:
        _swap(graph, lambda value: instead.get(value, value) if callable(value) else value)


def _swap(graph, of):
    for node in graph.nodes:
        target, args, kwargs = (torch.fx.node.map_aggregate(v, of) for v in (node.target, node.args, node.kwargs))
        if (target, args, kwargs) != (node.target, node.args, node.kwargs):
            node.target, node.args, node.kwargs = target, args, kwargs


def _is_path(node):
    """True for a text that names a path where an operator of a library may open it, also over fake tensors."""
    leaves = pytree.tree_leaves((node.target, node.args, dict(node.kwargs)))
    is_own = all(t.namespace in _OWN for t in leaves if isinstance(t, OpOverload))
    return not is_own and any(isinstance(v, str) and re.search(r"[/\\]", v) for v in leaves)
