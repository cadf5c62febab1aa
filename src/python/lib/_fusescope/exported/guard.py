"""
One mode around everything that a script does with a graph: rebuilding it, built-in passes, the user's passes and what they trace again or
run. The graph chooses targets and numbers, which may be addresses, offsets and paths, so no kernel gets them.
Reason for length: one mode, and what it refuses.
"""

import contextlib
import math
import operator
import sys
import threading
import types

import torch
from torch._guards import active_fake_mode
from torch._higher_order_ops import auto_functionalize
from torch._inductor import fx_utils
from torch._inductor.virtualized import V
from torch._ops import HigherOrderOperator, OpOverload, OpOverloadPacket
from torch._subclasses import fake_tensor
from torch._subclasses.fake_tensor import FakeTensorMode
from torch.fx import graph_module
from torch.overrides import TorchFunctionMode
from torch.utils import _pytree as pytree
from torch.utils._python_dispatch import TorchDispatchMode

# Methods that compute and are no operators: others write files, share memory or take an address (new(cdata=…)).
_METHODS = set(
    "bfloat16 bool byte cdouble cfloat char cpu cuda double element_size float half int ipu long mtia ndimension nelement "
    "new_tensor norm short split tolist type unflatten unique xpu".split()
)
_CALLED = (OpOverload, OpOverloadPacket, HigherOrderOperator, types.FunctionType, types.BuiltinFunctionType, type)


def calls_argument(args, kwargs):
    """True for a call that could call an argument: max(key=…)."""
    return any(isinstance(value, _CALLED) for value in pytree.tree_leaves((args, kwargs)))


def is_operator_method(name):
    """True for `__add__` and `__radd__`. Each object has methods such as `__reduce_ex__`, which lead out of the tensor."""
    names = {name, "__" + name[3:]} - {"__call__"}
    return any(isinstance(vars(operator).get(n), types.BuiltinFunctionType) for n in names)


def computes_by_method(name, of):
    """True for a method of a tensor that computes a value."""
    if not isinstance(of, torch.Tensor):
        return False
    method = getattr(torch._C.TensorBase, name, None)
    known = isinstance(method, types.MethodDescriptorType) and name[0] != "_" and is_tensor_method(name)
    return known or name in _METHODS or name.startswith("__") and is_operator_method(name)


class _Fakes(TorchDispatchMode):
    """Kernels get fake tensors instead of the constants of a graph, which are real."""

    supports_higher_order_operators = True

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        kwargs = kwargs or {}
        leaves = pytree.tree_leaves((args, kwargs))
        tensors = [t for t in leaves if isinstance(t, torch.Tensor)]
        if not all(map(_is_real, tensors)):
            return func(*args, **kwargs)  # FakeTensorMode decides
        if isinstance(func, OpOverload) and not may_call(func):
            raise _refused(f"{func} is named and never called here: it does more than compute.")
        if active_fake_mode() is None:
            _check_made(func, args, kwargs, leaves, tensors)
        if not tensors or _reads(func):
            return func(*args, **kwargs)
        args, kwargs = _all_fake(args, kwargs)
        with _mode():
            return func(*args, **kwargs)


class _Functions(TorchFunctionMode):
    """A call of a user's pattern in PyTorch's second trace, with tensors of the graph: composite kernels run before a dispatch mode."""

    def __torch_function__(self, func, types, args=(), kwargs=None):
        check_rank(func, args, kwargs or {})
        return func(*args, **(kwargs or {}))


def _check_made(func, args, kwargs, leaves, tensors):
    """Raises for a tensor on a device that PyTorch lacks, or, of no tensor, of more than 4 GiB, for which a graph needs one number."""
    if any(isinstance(v, torch.device) and v.type == "vulkan" for v in leaves):
        raise _refused(
            "No tensor is made on Vulkan here."
        )  # a null pointer where PyTorch is built without it, as each release
    size = 0
    if not tensors and isinstance(func, OpOverload) and func.namespace == "aten":
        with contextlib.suppress(Exception), _mode():  # some have no fake implementation
            made = pytree.tree_leaves(func(*args, **kwargs))
            size = sum(t.untyped_storage().nbytes() for t in made if isinstance(t, torch.Tensor))
    if size > 1 << 32:
        raise _refused(f"{func} gets sizes that are too large.")


def _mode():
    return V.fake_mode if isinstance(V.fake_mode, FakeTensorMode) else _inside.mode


def _is_real(value):
    return type(value) in (torch.Tensor, torch.nn.Parameter) and value.device.type != "meta"


def _all_fake(*call):
    return pytree.tree_map_only(torch.Tensor, lambda t: faked(_mode(), t) if _is_real(t) else t, call)


def faked(mode, value):
    """A constant of the graph as a fake tensor."""
    return mode.fake_tensor_converter.from_real_tensor(mode, value)


_READERS = set(
    "_local_scalar_dense alias clone detach equal expand is_same_size lift_fresh lift_fresh_copy permute select slice squeeze "
    "unsqueeze view _to_copy".split()
)


def _reads(func):
    """True for an operator whose kernel looks at no number but a value: passes read constants."""
    if not isinstance(func, OpOverload) or func.namespace != "aten":
        return False
    tags = {torch.Tag.pointwise, getattr(torch.Tag, "reduction", torch.Tag.pointwise)}
    return bool(tags & set(func.tags)) or func._schema.name.partition("::")[2] in _READERS


def _overloads(target):
    return [target] if isinstance(target, OpOverload) else [getattr(target, name) for name in target.overloads()]


def _check_call(target, args, kwargs):
    """Raises for an operator that does more than compute over fake tensors, and for a number where a dtype belongs."""
    overloads = _overloads(target)
    if not all(reaches_modes(op) for op in overloads):
        raise _refused(f"{target} is named and never called here: it does more than compute.")
    check_rank(target, args, kwargs)
    if is_path(target, args, kwargs):
        raise _refused(f"{target} gets text that may be a path, so it is never called here.")
    changes = any(torch.Tag.inplace_view in op.tags for op in overloads)
    if changes and any(map(_is_symbolic, pytree.tree_leaves((args, kwargs)))):
        raise _refused(f"{target} changes symbolic sizes in place, which PyTorch frees before it reads them.")
    for op in overloads:
        for at, name in enumerations(op):
            given = kwargs.get(name) if at is None or at >= len(args) else args[at]
            if isinstance(given, (int, float, torch.SymInt)):
                raise _refused(f"{target} gets a number as {name}.")


def _is_symbolic(value):
    return isinstance(value, torch.Tensor) and value._has_symbolic_sizes_strides


def _refused(text):
    """Reports the exception once: the matcher drops a match whose trace raises."""
    if text not in _said:
        _said.add(text)
        print(visible(text), file=sys.stderr)
    return NotImplementedError(text)


_said = set()


def _operator_call(inner):
    def call(self, /, *args, **kwargs):
        _check_call(self, args, kwargs)
        if any(map(is_composite, _overloads(self))):
            args, kwargs = _all_fake(args, kwargs)
        return inner(self, *args, **kwargs)

    return call


def _redispatch(inner):
    """Below all modes: what PyTorch does for an operator of its own, and a pass may do with a target of the graph."""

    def redispatch(self, /, keyset, *args, **kwargs):
        _check_call(self, args, kwargs)
        return inner(self, keyset, *args, **kwargs)

    return redispatch


def _function_call(inner):
    def call_function(self, target, args, kwargs):
        is_operator = isinstance(target, (OpOverload, OpOverloadPacket, HigherOrderOperator))
        if not is_operator and (target in named_functions or calls_argument(args, kwargs)):
            raise _refused(f"{getattr(target, '__name__', target)} is named and never called here.")
        if not any(
            isinstance(v, torch.fx.Proxy) for v in pytree.tree_leaves((args, kwargs))
        ):  # a Transformer records the call
            check_rule(target, args)
        check_rank(target, args, kwargs)
        if _grows(target, args):
            raise _refused(f"{target.__name__} gets too large a number or list.")
        if is_unchecked(target):
            raise _refused(f"{target.__name__} does more than compute.")
        return inner(self, target, *_all_fake(args, kwargs))

    return call_function


def _node_run(inner):
    def run_node(self, node):
        if node.meta.get("fusescope_refused"):
            raise _refused(f"{node.target} gets what Fusescope's rule refuses, so it is never called here.")
        return inner(self, node)

    return run_node


def _method_call(inner):
    def call_method(self, target, args, kwargs):
        check_rule(target, args)
        if "cdata" in kwargs or not computes_by_method(target, args[0]):
            raise _refused(f"The method {target} does more than compute.")
        return inner(self, target, *_all_fake(args, kwargs))

    return call_method


# These make numbers of Python grow: a shift is a power, and round takes 10**n.
POWERS = {operator.pow, operator.ipow, pow, round, operator.lshift, operator.ilshift, operator.rshift, operator.irshift}


def _grows(target, args):
    """True where numbers or lists grow without a limit: 10 ** 10**9, [0] * 10**10."""
    given = [len(a) if isinstance(a, (str, tuple, list)) else a for a in args[:2]]
    if not all(isinstance(a, int) for a in given):
        return False
    if target in POWERS:
        return any(abs(a) > 10**4 for a in given)
    lists = given != list(args[:2]) and getattr(target, "__module__", None) == "_operator"
    return lists and (math.prod(given) if target in (operator.mul, operator.imul) else sum(given)) > 10**6


def check_rule(target, args):
    """Raises for a call of a node that Fusescope has no rule for. What the user's files call is no call of a node."""
    if has_no_rule(target, args):
        shown = target.__name__ if isinstance(target, types.BuiltinFunctionType) else target
        raise _refused(f"{shown} is named and never called here: Fusescope has no rule for it.")


def check_rank(target, args, kwargs):
    if reads_beyond(target, args, kwargs):
        raise _refused(f"{target.__name__} needs a tensor of two dimensions, which PyTorch does not check.")


def _arguments_of(inner):
    """FakeTensorUpdater keeps the value that the text has."""

    def get_fake_args_kwargs(node, *rest):
        if has_no_rule(node.target, node.args) or node.meta.get("fusescope_refused"):
            return False, node.args, node.kwargs
        valid, args, kwargs = inner(node, *rest)
        return valid and not reads_beyond(node.target, args, kwargs), args, kwargs

    return get_fake_args_kwargs


def _functionalized(inner):
    """auto_functionalized calls PyTorch's own operators by their rules, and others as their library and the files say."""

    def dense(op, *rest, **kwargs):
        if isinstance(op, OpOverload) and op.namespace in _OWN:
            check_rule(op, ())
        return inner(op, *rest, **kwargs)

    return dense


def _higher_order_call(inner):
    def call(self, /, *args, **kwargs):
        if self.name() in ("print", "inline_asm_elementwise", "call_torchbind"):
            raise _refused(f"{self.name()} is named and never called here.")
        return inner(self, *args, **kwargs)

    return call


def _forward_of(inner):
    """A module is run node by node: no code is generated from a graph."""

    def forward(self, *args, **kwargs):
        names = [n.target for n in self.graph.nodes if n.op == "placeholder"]
        return torch.fx.Interpreter(self).run(*args, *[kwargs[name] for name in names[len(args) :] if name in kwargs])

    return lambda *_, **__: forward


_GUARDED = [
    (FakeTensorMode, "may_turn_const", lambda inner: lambda self, tensor: False),
    (FakeTensorMode, "can_run_unsafe_fallback", lambda inner: lambda self, func: False),
    (fake_tensor, "has_meta", lambda inner: lambda func: may_call(func) and inner(func)),
    (OpOverload, "__call__", _operator_call),
    (OpOverload, "redispatch", _redispatch),
    (OpOverloadPacket, "__call__", _operator_call),
    (HigherOrderOperator, "__call__", _higher_order_call),
    (torch.fx.Interpreter, "run_node", _node_run),
    (torch.fx.Interpreter, "call_function", _function_call),
    (torch.fx.Interpreter, "call_method", _method_call),
    (graph_module, "_forward_from_src", _forward_of),
    (fx_utils, "get_fake_args_kwargs", _arguments_of),
    (auto_functionalize, "auto_functionalized_dense", _functionalized),
    (auto_functionalize, "auto_functionalized_v2_dense", _functionalized),
]
_inside = threading.local()


@contextlib.contextmanager
def guarded():
    """In this thread; another one of a live process may compile."""
    if getattr(_inside, "on", False):
        yield
        return
    undo, me = [], threading.get_ident()
    for owner, name, made in _GUARDED:
        inner = vars(owner)[name]
        setattr(owner, name, _of_thread(me, inner, made(inner)))
        undo.append((owner, name, inner))
    _inside.on, _inside.mode = True, FakeTensorMode(allow_non_fake_inputs=True)
    try:
        with _Fakes(), _Functions():
            yield
    finally:
        _inside.on = False
        for owner, name, inner in undo:
            setattr(owner, name, inner)


def _of_thread(thread, inner, outer):
    def call(*args, **kwargs):
        return (outer if threading.get_ident() == thread else inner)(*args, **kwargs)

    call.__wrapped__ = inner
    return call
