"""
What an exported graph may hold and compute: operators that give tensors and numbers from tensors and numbers, and those that the user's
files name. The others are placeholders that cannot be called.
"""

import functools
import importlib
import re
import types

import torch
from torch._ops import HigherOrderOperator, OpOverload, OpOverloadPacket
from torch._subclasses.fake_impls import op_implementations_dict
from torch.utils import _pytree as pytree

_libraries = []  # operators exist as long as their Library
own_functions = {}  # operators that the imported files define, by their dotted names
own_operators = set()  # operators that the imported files define: `ns::name`
named_functions = set()  # functions of the files that a graph names, with the graph's arguments
ruled, only_named = set(), set()  # calls of the graphs with a rule of Fusescope's, and those without


@functools.cache
def function(name):
    """Returns the function that the user's files define under this name, or a placeholder that raises. Imports nothing."""
    if name in own_functions:
        named_functions.add(own_functions[name])
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
        return _is_dispatched(target) and _has_rule(target)
    return _has(target, "Meta") or not target._schema.returns


# Operators of ATen that check their arguments, and have neither a tag nor a rule in Python.
_CHECKED = re.compile(
    r"_foreach_(?!copy\b)\w+|_((functional_)?assert_\w+|cast_\w+|convolution\w*|is_a\w+|conj|neg_view|aminmax|unique2?|efficientzerotensor)|"
    r"addr_|bernoulli_?|detach_|empty_permuted|put_?|rand\w*|range|squeeze_|view|view_as_\w+|(detach|lift_fresh|select|slice|split)_copy|\w+_window|(upsample_\w+|\w+shrink)_backward"
)
# Composite operators whose kernels read memory by numbers, or take objects of a library for tensors.
_READS_MEMORY = re.compile(
    r"_|to_mkldnn|resize_as|shallow_copy|fbgemm|mkldnn|quantized|choose_qparams|sparse|cudnn|miopen|\w+_cell$"
)


@functools.cache
def _has_rule(op):
    """
    True for an operator of ATen that is known to compute: with a tag of PyTorch or a rule in Python, or of a short list. Other kernels check
    little, over fake tensors either (_remove_batch_dim ends the interpreter).
    """
    name = op._schema.name.partition("::")[2]
    if op.namespace != "aten" or _CHECKED.fullmatch(name):
        return True
    if not _READS_MEMORY.match(name) and (is_composite(op) or op in op_implementations_dict):
        return True  # the parts of a composite one are asked again
    # The forms of an operator write to different arguments.
    packet = getattr(torch.ops.aten, name)
    return any(
        _is_documented(form)
        for form in (op, *(getattr(packet, o) for o in packet.overloads() if "out" in op._overloadname))
    )


def _is_documented(op):
    importlib.import_module("torch._meta_registrations")
    tags = {torch.Tag.core, torch.Tag.pointwise, getattr(torch.Tag, "reduction", torch.Tag.core)}
    return bool(tags & set(op.tags)) or any(op in t for t in torch._decomp.global_decomposition_table.values())


@functools.cache
def enumerations(op):
    """
    The arguments that are a dtype, a layout or a memory format, by place and name. PyTorch accepts any number, and looks it up
    in a table without a check.
    """
    kinds = enumerate(op._schema.arguments)
    found = [(i, a) for i, a in kinds if re.search("ScalarType|Layout|MemoryFormat", str(a.real_type))]
    return [(None if a.kwarg_only else i, a.name) for i, a in found]


@functools.cache
def may_call(op):
    """True for an operator whose kernel may run on a graph's arguments, over fake tensors."""
    return _is_trusted(op) or _runs_over_fakes(op) and _has_rule(op)


@functools.cache
def reaches_modes(op):
    """True for an operator that a dispatch mode intercepts; other operators' kernels run before the mode."""
    before = op.namespace not in _OWN and (not _is_dispatched(op) or is_composite(op))
    return _is_trusted(op) or _takes_values(op) and _has_rule(op) and not before


def _is_trusted(op):
    return op.namespace == "profiler" or op._schema.name in own_operators


def _runs_over_fakes(op):
    """
    False for an operator that runs its kernel even over fake tensors: a library's kernel for all keys, which may take an address
    (vLLM's _C_custom_ar::dispose), or a fallback of PyTorch's.
    """
    if op.namespace in _OWN or not _takes_values(op):
        return _takes_values(op)
    if not _is_dispatched(op) or is_composite(op):
        return False
    return _has(op, "Meta") or not (_has(op, "CompositeExplicitAutograd") or op.namespace in _FALL_BACK)


_FALL_BACK = {"vision", "torchtext", "torchaudio", "quantized", "xla", "fbgemm"}


def _has(op, key):
    return torch._C._dispatch_has_kernel_for_dispatch_key(op.name(), key)


@functools.cache
def is_composite(op):
    """True for an operator whose kernel calls others, before any mode decides."""
    return _is_dispatched(op) and _has(op, "CompositeImplicitAutograd")


@functools.cache
def is_unchecked(function):
    """True for a function of torch whose operator is composite and unknown: quantized_lstm_cell takes a tensor from behind a list."""
    packet = isinstance(function, types.BuiltinFunctionType) and getattr(torch.ops.aten, function.__name__, None)
    return isinstance(packet, OpOverloadPacket) and any(is_composite(op) and not _has_rule(op) for op in _forms(packet))


def reads_beyond(target, args, kwargs):
    """True for a call whose kernel reads a second size of a tensor of one dimension, so memory behind its sizes."""
    name = getattr(target, "_schema", None)
    name = name.name.partition("::")[2] if name is not None else getattr(target, "__name__", "")
    given = args[0] if args else kwargs.get("input")
    return name in _OF_CHANNELS and isinstance(given, torch.Tensor) and given.dim() < 2


_OF_CHANNELS = {"batch_norm", "_batch_norm_impl_index"}


def _forms(packet):
    return [getattr(packet, name) for name in packet.overloads()]


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


def called_by(target, args):
    """What a node calls; auto_functionalized calls its first argument."""
    wraps = isinstance(target, HigherOrderOperator) and target.name().startswith("auto_functionalized")
    return [target, *[a for a in args[:1] if isinstance(a, OpOverload)]][wraps:]


def has_no_rule(target, args=()):
    """True for a call that a graph names and that has no rule in Fusescope: it is not made."""
    return any(t in only_named and t not in ruled for t in called_by(target, args))


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


def is_path(*call):
    """True for a text that names a path where an operator of a library may open it, also over fake tensors."""
    leaves = pytree.tree_leaves(call)
    is_own = all(t.namespace in _OWN for t in leaves if isinstance(t, OpOverload))
    return not is_own and any(isinstance(v, str) and re.search(r"[/\\]", v) for v in leaves)
