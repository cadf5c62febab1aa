"""
Rebuilds graphs with FakeTensor metadata, and declares operators missing in this PyTorch. What a graph says is data: sizes are read by
their syntax, names are checked before torch.fx writes them into code, and only operators and the functions of PyTorch are called.
Reason for length: one class and what it checks.
"""

import contextlib
import faulthandler
import importlib
import keyword
import operator
import pathlib
import re
import types

import torch
from torch._ops import HigherOrderOperator, OpOverload, OpOverloadPacket
from torch._subclasses.fake_tensor import FakeTensor, FakeTensorMode
from torch.fx.experimental.symbolic_shapes import DimDynamic, ShapeEnv
from torch.utils import _pytree as pytree

_DTYPES = {
    "f64": "float64", "f32": "float32", "f16": "float16", "bf16": "bfloat16", "c32": "complex32", "c64": "complex64",
    "c128": "complex128", "i64": "int64", "i32": "int32", "i16": "int16", "i8": "int8", "u64": "uint64", "u32": "uint32",
    "u16": "uint16", "u8": "uint8", "b8": "bool", "f8e4m3fn": "float8_e4m3fn", "f8e5m2": "float8_e5m2",
    "f8e4m3fnuz": "float8_e4m3fnuz", "f8e5m2fnuz": "float8_e5m2fnuz", "f8e8m0fnu": "float8_e8m0fnu",
    "f4e2m1fn_x2": "float4_e2m1fn_x2", "f4e2m1fnx2": "float4_e2m1fn_x2",
}  # fmt: skip


def returns_nothing(*args, **kwargs):
    """The fake implementation of an operator that only writes to its arguments."""


def unknown_shapes(name):
    """The fake implementation of an operator for which no call had known outputs."""

    def fake(*args, **kwargs):
        raise NotImplementedError(f"Fusescope does not know the shapes that {name} returns: register a fake for it.")

    return fake


def declare(schema, fake=returns_nothing):
    """Declares `ns::name(…) -> …`, unless an installed package has the operator. No fake: the files register one."""
    namespace, name, overload, rest = re.fullmatch(r"(\w+)::((\w+)(?:\.(\w+))?\(.*)", schema, re.DOTALL).group(
        1, 3, 4, 2
    )
    packet = getattr(getattr(torch.ops, namespace), name, None)
    if isinstance(packet, OpOverloadPacket) and (overload or "default") in packet.overloads():
        return
    library = torch.library.Library(namespace, "FRAGMENT")
    _libraries.append(library)
    library.define(rest)
    qualified = f"{namespace}::{name}" + (f".{overload}" if overload else "")
    if fake is not None:
        torch.library.register_fake(qualified, fake, lib=library)


def _is_plain(value):
    """True for values that operators return: a call takes no others."""
    if isinstance(value, (tuple, list)):
        return all(_is_plain(v) for v in value)
    return value is None or isinstance(value, (bool, int, float, complex, *_COMPUTED))


_COMPUTED = (torch.Tensor, torch.SymInt, torch.SymFloat, torch.SymBool)
_TORCH_MODULES = {"torch", "torch.functional", "torch.nn.functional"}


def _checked(pattern, text):
    """A name that torch.fx writes into the code of the graph."""
    if not re.fullmatch(pattern, text, re.ASCII) or any(keyword.iskeyword(part) for part in text.split(".")):
        raise ValueError(f"{text!r} is no name in Python.")
    return text


_LONGEST = 60  # in seconds; a value takes some milliseconds
_LARGEST = 2 << 30  # in bytes, beyond what the process has; a fake tensor takes some hundreds


@contextlib.contextmanager
def limited():
    """Ends a script, with its place, whose graph computes a value without end: kernels, as that of combinations(x, 2**40), hear no Ctrl+C.
    One that takes all memory, as chunk(x, 10**8), raises MemoryError."""
    if __name__ == "fusescope_live_files" or _limits:  # the process is its user's
        yield
        return
    faulthandler.dump_traceback_later(_LONGEST, exit=True, file=2)
    _limits.append(_LONGEST)
    try:
        with _little_memory():
            yield
    finally:
        _limits.clear()
        faulthandler.cancel_dump_traceback_later()


_limits = []  # that hold


@contextlib.contextmanager
def _little_memory():
    """On Linux. A GPU that is not used yet reserves any amount of addresses when it is."""
    waits = torch.cuda.is_available() and not torch.cuda.is_initialized() or torch.xpu.is_available()
    try:
        limit = importlib.import_module("resource")
        pages = int(pathlib.Path("/proc/self/statm").read_text().split()[0])
    except (ImportError, OSError):
        waits = True
    if waits or hasattr(torch, "npu"):
        yield
        return
    soft, hard = limit.getrlimit(limit.RLIMIT_AS)
    most = pages * limit.getpagesize() + _LARGEST
    limit.setrlimit(limit.RLIMIT_AS, (most if soft < 0 else min(soft, most), hard))
    try:
        yield
    finally:
        limit.setrlimit(limit.RLIMIT_AS, (soft, hard))


_NAME, _PATH = r"[A-Za-z_]\w*", r"\w+(\.\w+)*"


class GraphBuilder:
    """Builds one graph node by node. `val` is the value as print_readable annotates it, a tuple of those, or None."""

    def __init__(self, shared=None):
        """shared: a builder whose symbols and fake tensors this graph uses too."""
        self.env = shared.env if shared else ShapeEnv()
        self.mode = shared.mode if shared else FakeTensorMode(shape_env=self.env, allow_non_fake_inputs=True)
        self.root, self.graph = torch.nn.Module(), torch.fx.Graph()
        self._symbols = shared._symbols if shared else {}

    def placeholder(self, name, target, val, *default):
        node = self.graph.create_node("placeholder", _checked(r"\*{0,2}" + _NAME, target), default, {}, name)
        return self._with(node, val, None)

    def get_attr(self, name, target, val, values=None):
        value = self.value(val)
        if values is not None:
            value = torch.tensor(values, dtype=getattr(value, "dtype", None))
        self._set_attribute(_checked(_PATH, target), value)
        return self._with(self.graph.create_node("get_attr", target, (), {}, name), val, value)

    def call(self, name, target, args, kwargs, val, op="call_function", **meta):
        """A call that Fusescope has a rule for: its value is computed where the text lacks it."""
        node = self._node(name, target, args, kwargs, op, meta)
        if op != "call_module":
            ruled.update(called_by(node.target, node.args))
        return self._with(node, val, self._run(node, self.value(val)))

    def refused(self, name, target, args, kwargs, val, op="call_function", **meta):
        """A call that Fusescope's rule refuses: it is not computed, and its value is read from the text."""
        node = self._node(name, target, args, kwargs, op, meta)
        node.meta["fusescope_refused"] = True
        ruled.update(called_by(node.target, node.args))  # as other nodes call it
        return self._with(node, val, None)

    def named(self, name, target, args, kwargs, val, op="call_function", **meta):
        """Any other call: its value is read from the text, because the graph must not choose what is called."""
        node = self._node(name, target, args, kwargs, op, meta)
        only_named.update(called_by(node.target, node.args))
        return self._with(node, val, None)

    def _node(self, name, target, args, kwargs, op, meta):
        if op != "call_function":
            _checked(_PATH, target)
        if op == "call_method" and target.startswith("__") and not is_operator_method(target):
            raise ValueError(f"{target} is no method that a tensor has for an operator.")
        if op == "call_method" and "cdata" in kwargs:  # of Tensor.new; a pass may run the graph
            raise ValueError("cdata is an address.")
        for key in kwargs:
            _checked(_NAME, key)
        target, args, kwargs = _all_held((target, args, kwargs))
        node = self.graph.create_node(op, target, args, kwargs, name)
        node.meta.update(meta)
        if op == "call_module":
            self._set_attribute(target, torch.nn.Module())
        return node

    def output(self, value):
        self.graph.output(value)
        module = torch.fx.GraphModule(self.root, self.graph)
        module.graph.lint()
        return module, self.mode

    def sym(self, expression):
        with limited():  # sympy compares the sizes of a Max
            return Sizes(self._symbol).read(expression)

    def _symbol(self, name):
        if name not in self._symbols:
            self._symbols[name] = self._new_symbol(name)
        return self._symbols[name]

    def _new_symbol(self, name):
        from torch._dynamo.source import ConstantSource

        if name.startswith("u"):
            return self.env.create_unbacked_symint()
        # Even sizes that no model has, so that no guard confuses a symbol with another size.
        hint, source = 1034 + 22 * len(self._symbols), ConstantSource(name)
        made = self.env.create_symbol(hint, source, dynamic_dim=DimDynamic.DYNAMIC)
        return self.env.create_symintnode(made, hint=hint, source=source)

    def _set_attribute(self, target, value):
        *path, last = target.split(".")
        module = self.root
        for part in path:
            if part not in module._modules:
                module.add_module(part, torch.nn.Module())  # refuses the name of another attribute
            module = module._modules[part]
        if isinstance(value, torch.Tensor) and not isinstance(value, torch.nn.Parameter):
            module.register_buffer(last, value)
        elif last not in module._modules and hasattr(module, last):
            raise ValueError(f"The module has an attribute {last}.")
        else:
            setattr(module, last, torch.nn.Module() if value is None else value)

    def _run(self, node, given):
        """The node's value over fake tensors; None if it cannot run, or if the text says it and it is no view, which shares storage."""
        try:
            if _is_whole(node, given) and not _is_view(node):
                return None
            args, kwargs = pytree.tree_map_only(torch.fx.Node, lambda n: n.meta["val"], (node.args, dict(node.kwargs)))
            args, kwargs = pytree.tree_map_only(torch.Tensor, self._faked, (args, kwargs))
            call = self._call(node, args, kwargs)
            if call is None:
                return None
            with guarded(), self.mode, limited():
                value = call(*args, **kwargs)
            return value if _is_plain(value) else None
        except Exception:  # no fake implementation, or an input without a value
            return None

    def _faked(self, value):
        """A constant of the graph as a fake tensor."""
        return value if isinstance(value, FakeTensor) else faked(self.mode, value)

    def _call(self, node, args, kwargs):
        """The callable that computes the node's value; None unless it computes on tensors and sizes."""
        target = node.target
        if reads_beyond(target, args, kwargs):
            return None
        is_operator_call = node.op == "call_function" and isinstance(target, (OpOverload, HigherOrderOperator))
        if not is_operator_call and calls_argument(args, kwargs):
            return None
        if node.op == "call_method":
            if target.startswith("_") or not computes_by_method(target, args[0]):
                return None
            return lambda tensor, *rest, **named: getattr(tensor, target)(*rest, **named)
        if node.op != "call_function":
            return None
        if isinstance(target, (OpOverload, OpOverloadPacket)):
            return target if _computes(target) else None
        if isinstance(target, HigherOrderOperator):
            return target if target.name().startswith("auto_functionalized") and _computes(args[0]) else None
        if target is operator.getitem:
            return target if isinstance(args[0], (tuple, list, torch.Tensor)) else None
        if not any(isinstance(value, _COMPUTED) for value in pytree.tree_leaves(args)):
            return None
        if getattr(target, "__module__", None) in ("_operator", "math", "builtins"):
            # Repeating a list, or a power, can take unlimited time and memory.
            unlimited = target in POWERS or any(isinstance(a, (str, tuple, list)) for a in args)
            return None if unlimited and not isinstance(args[0], torch.Tensor) else target
        is_torch = isinstance(target, types.BuiltinFunctionType) or target.__module__ in _TORCH_MODULES
        return target if is_torch and not is_unchecked(target) else None

    def _with(self, node, val, computed):
        """Sets the value that the graph's text has; of an equal value, the computed one."""
        given = self.value(val)
        if given is None:
            if computed is not None:
                node.meta["val"] = computed
        elif computed is None:
            node.meta["val"] = given
        else:
            node.meta["val"] = computed if _fits(given, computed) else given
        return node

    def value(self, val):
        if val is None:
            return None
        if isinstance(val, (tuple, list)):
            return type(val)(self.value(v) for v in val)
        if val.startswith("Sym("):
            return self.sym(val[4:-1])
        found = re.fullmatch(r"(\w+)\[(.*?)\](?:\[(.*?)\])?([a-z_]*(?::[0-9]+)?)", val)
        if found is None:
            raise ValueError(f"{val!r} is no metadata.")
        dtype, shape, stride, device = found.groups()
        shape, stride = self._sizes(shape), None if stride is None else self._sizes(stride)
        made = dict(dtype=dtype_named(_DTYPES.get(dtype, dtype)), device=device_named(device or "cpu"))
        with limited(), self.mode:
            return torch.empty(shape, **made) if stride is None else torch.empty_strided(shape, stride, **made)

    def _sizes(self, text):
        parts, depth, start = [], 0, 0
        for i, c in enumerate(text + ","):
            depth += (c == "(") - (c == ")")
            if c == "," and depth == 0:
                parts.append(text[start:i].strip())
                start = i + 1
        return [self.sym(p) for p in parts if p]


def _is_whole(node, value):
    """True for a known value; an operator that returns nothing is None in its wrapper."""
    if not isinstance(value, (tuple, list)):
        return value is not None
    return (any if isinstance(node.target, HigherOrderOperator) else all)(_is_whole(node, v) for v in value)


def _is_view(node):
    """True for a call whose result may share the storage of an argument, or be it."""
    if node.op == "call_function" and isinstance(node.target, (OpOverload, HigherOrderOperator)):
        forms = [node.target] if isinstance(node.target, OpOverload) else []
    elif node.target is operator.getitem:
        return True
    else:
        name = node.target if isinstance(node.target, str) else getattr(node.target, "__name__", "").partition(".")[0]
        packet = getattr(torch.ops.aten, name, None)
        forms = [getattr(packet, o) for o in packet.overloads()] if isinstance(packet, OpOverloadPacket) else []
    return any(r.alias_info is not None for form in forms for r in form._schema.returns)


def _fits(given, computed):
    """True if the computed value has the dtype, shape, strides and device of the text's. None in a tuple fits all."""
    if given is None:
        return True
    if isinstance(given, (tuple, list)):
        same = isinstance(computed, (tuple, list)) and len(computed) >= len(given)
        return same and all(_fits(g, c) for g, c in zip(given, computed))
    if isinstance(given, torch.Tensor) and isinstance(computed, torch.Tensor):
        return _facts(given) == _facts(computed)
    return str(given) == str(computed)


def _facts(tensor):
    return tensor.dtype, str(tuple(tensor.shape)), str(tuple(tensor.stride())), tensor.device.type


def dtype_named(name):
    dtype = getattr(torch, name, None)
    if not isinstance(dtype, torch.dtype):
        raise ValueError(f"This PyTorch has no dtype {name}.")
    return dtype


def device(type, index=None):
    """A device that this PyTorch does not know is the placeholder backend: the graph's name is untrusted."""
    try:
        return torch.device(type, index) if index is not None else torch.device(type)
    except RuntimeError:
        return torch.device("privateuseone", 0 if index is None else index)


def device_named(name):
    """`cuda:0`, `npu`"""
    kind, _, index = name.partition(":")
    return device(kind, int(index) if index else None)
