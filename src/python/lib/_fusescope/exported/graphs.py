"""Rebuilds graphs with FakeTensor metadata, and declares the operators that this PyTorch lacks."""
import functools
import importlib
import re

import torch
from torch._subclasses.fake_tensor import FakeTensorMode
from torch.fx.experimental.symbolic_shapes import DimDynamic, ShapeEnv
from torch.utils import _pytree as pytree

_DTYPES = {
    "f64": "float64", "f32": "float32", "f16": "float16", "bf16": "bfloat16", "c32": "complex32", "c64": "complex64",
    "c128": "complex128", "i64": "int64", "i32": "int32", "i16": "int16", "i8": "int8", "u64": "uint64", "u32": "uint32",
    "u16": "uint16", "u8": "uint8", "b8": "bool", "f8e4m3fn": "float8_e4m3fn", "f8e5m2": "float8_e5m2",
    "f8e4m3fnuz": "float8_e4m3fnuz", "f8e5m2fnuz": "float8_e5m2fnuz", "f8e8m0fnu": "float8_e8m0fnu",
    "f4e2m1fn_x2": "float4_e2m1fn_x2",
}  # fmt: skip
_libraries = []  # operators exist as long as their Library


def returns_nothing(*args, **kwargs):
    """The fake implementation of an operator that only writes to its arguments."""


def unknown_shapes(name):
    """The fake implementation of an operator of which no call with known outputs was seen."""

    def fake(*args, **kwargs):
        raise NotImplementedError(f"Fusescope does not know the shapes that {name} returns: register a fake for it.")

    return fake


def declare(schema, fake=returns_nothing):
    """Declares `ns::name(…) -> …`, unless an installed package has the operator. No fake: the files register one."""
    namespace, rest = schema.split("::", 1)
    name, _, overload = rest[: rest.index("(")].partition(".")
    packet = getattr(getattr(torch.ops, namespace), name, None)
    if packet is not None and (overload or "default") in packet.overloads():
        return
    library = torch.library.Library(namespace, "FRAGMENT")
    _libraries.append(library)
    library.define(rest)
    qualified = f"{namespace}::{name}" + (f".{overload}" if overload else "")
    if fake is not None:
        torch.library.register_fake(qualified, fake, lib=library)


@functools.cache
def function(name):
    """A function that the graph calls by its dotted name; a placeholder if its module cannot be imported."""
    module, _, attribute = name.rpartition(".")
    try:
        return getattr(importlib.import_module(module), attribute)
    except (ImportError, AttributeError, ValueError):
        def missing(*args, **kwargs):
            raise NotImplementedError(name)

        missing.__name__, missing.__qualname__, missing.__module__ = attribute, attribute, module
        return missing


class GraphBuilder:
    """Builds one graph node by node. `val` is the value as print_readable annotates it, a tuple of those, or None."""

    def __init__(self, shared=None):
        """shared: a builder whose symbols and fake tensors this graph uses too."""
        self.env = shared.env if shared else ShapeEnv()
        self.mode = shared.mode if shared else FakeTensorMode(shape_env=self.env, allow_non_fake_inputs=True)
        self.root, self.graph = torch.nn.Module(), torch.fx.Graph()
        self._symbols = shared._symbols if shared else {}

    def placeholder(self, name, target, val, *default):
        node = self.graph.create_node("placeholder", target, default, {}, name)
        return self._with(node, val, None)

    def get_attr(self, name, target, val, values=None):
        value = self.value(val)
        if values is not None:
            value = torch.tensor(values, dtype=getattr(value, "dtype", None))
        self._set_attribute(target, value)
        return self._with(self.graph.create_node("get_attr", target, (), {}, name), val, value)

    def call(self, name, target, args, kwargs, val, op="call_function", **meta):
        node = self.graph.create_node(op, target, args, kwargs, name)
        node.meta.update(meta)
        if op == "call_module":
            self._set_attribute(target, torch.nn.Module())
        return self._with(node, val, self._run(node))

    def output(self, value):
        self.graph.output(value)
        module = torch.fx.GraphModule(self.root, self.graph)
        module.graph.lint()
        return module, self.mode

    def sym(self, expression):
        """A size as sympy prints it: `s72`, `2*s72`, `(s72//2)`."""
        names = set(re.findall(r"\b[a-z]+\d+\b", expression))
        extremes = {"Max": lambda *sizes: functools.reduce(torch.sym_max, sizes)}
        extremes["Min"] = lambda *sizes: functools.reduce(torch.sym_min, sizes)
        known = {**extremes, "FloorDiv": lambda a, b: a // b, "Mod": lambda a, b: a % b}
        return eval(expression, {**known, **{name: self._symbol(name) for name in names}})

    def _symbol(self, name):
        if name not in self._symbols:
            self._symbols[name] = self._new_symbol(name)
        return self._symbols[name]

    def _new_symbol(self, name):
        from torch._dynamo.source import ConstantSource

        if name.startswith("u"):
            return self.env.create_unbacked_symint()
        # Different even sizes that no model has, so that no guard takes a symbol for another size.
        hint, source = 1034 + 22 * len(self._symbols), ConstantSource(name)
        made = self.env.create_symbol(hint, source, dynamic_dim=DimDynamic.DYNAMIC)
        return self.env.create_symintnode(made, hint=hint, source=source)

    def _set_attribute(self, target, value):
        *path, last = target.split(".")
        module = self.root
        for part in path:
            if not hasattr(module, part):
                module.add_module(part, torch.nn.Module())
            module = getattr(module, part)
        if isinstance(value, torch.Tensor) and not isinstance(value, torch.nn.Parameter):
            module.register_buffer(last, value)
        else:
            setattr(module, last, torch.nn.Module() if value is None else value)

    def _run(self, node):
        """The node's value over fake tensors, which shares storage as the real one does; None if it cannot run."""
        try:
            args, kwargs = pytree.tree_map_only(torch.fx.Node, lambda n: n.meta["val"], (node.args, dict(node.kwargs)))
            with self.mode:
                if node.op == "call_method":
                    return getattr(args[0], node.target)(*args[1:], **kwargs)
                return node.target(*args, **kwargs) if node.op == "call_function" else None
        except Exception:  # no fake implementation, or an input without a value
            return None

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
        dtype, shape, stride, device = re.fullmatch(r"(\w+)\[(.*?)\](?:\[(.*?)\])?([a-z_:0-9]*)", val).groups()
        shape, stride = self._sizes(shape), None if stride is None else self._sizes(stride)
        made = dict(dtype=getattr(torch, _DTYPES[dtype]), device=device_named(device or "cpu"))
        with self.mode:
            return torch.empty(shape, **made) if stride is None else torch.empty_strided(shape, stride, **made)

    def _sizes(self, text):
        parts, depth, start = [], 0, 0
        for i, c in enumerate(text + ","):
            depth += (c == "(") - (c == ")")
            if c == "," and depth == 0:
                parts.append(text[start:i].strip())
                start = i + 1
        return [int(p) if re.fullmatch(r"-?\d+", p) else self.sym(p) for p in parts if p]


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


def device_named(name):
    """`cuda:0`, `npu`: for a device that this PyTorch does not know, its placeholder backend gets the name."""
    try:
        return torch.device(name)
    except RuntimeError:
        torch.utils.rename_privateuse1_backend(name.split(":")[0])
        return torch.device(name)
