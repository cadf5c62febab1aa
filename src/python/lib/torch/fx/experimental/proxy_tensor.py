"""torch.fx.experimental.proxy_tensor: make_fx, which traces a function over fake tensors to ATen operators."""

import contextlib
import functools

from _fusescope import engine, callables, partial_modules as _partial, wire
from _fusescope.registrations import inputs
import torch
from torch import _decomp
from torch._subclasses.fake_tensor import unset_fake_temporarily  # noqa: F401
from torch.fx._symbolic_trace import Tracer
from torch.fx.graph_module import GraphModule
from torch.types import py_sym_types  # noqa: F401


def make_fx(
    f, decomposition_table=None, tracing_mode="real", _allow_non_fake_inputs=False, *, pre_dispatch=False, **options
):
    """f as a function that returns the graph of its call. Sizes are those of the arguments in each tracing mode."""
    if tracing_mode not in ("real", "fake", "symbolic"):
        raise AssertionError(f'Expected tracing_mode to be "real", "fake", or "symbolic", got {tracing_mode}')
    if pre_dispatch:
        raise NotImplementedError("Fusescope's make_fx has no pre_dispatch: it records the operators below autograd")

    @functools.wraps(f)
    def wrapped(*args):
        fn, names, leaves = inputs.flat(f, args)
        table = {"functionalPasses": False, "decompositions": _decomp.number(decomposition_table or {})}
        number = engine.fwd_only(callables.number(fn), names, [wire.encode(a) for a in leaves], table)
        made = GraphModule._traced(number)
        type(made).__name__ = getattr(f, "__name__", type(f).__name__)
        return made

    return wrapped


class PythonKeyTracer(Tracer):
    """Records the operators that a pass calls; a parameter that is none of the root's becomes one of its attributes."""

    def __init__(self):
        super().__init__(autowrap_modules=())

    def call_module(self, m, forward, args, kwargs):
        return forward(*args, **kwargs)

    def getattr(self, attr, attr_val, parameter_proxy_cache):
        return attr_val

    def create_arg(self, a):
        if isinstance(a, torch.nn.Parameter):
            name = next((n for n, value in self.root.named_parameters() if value is a), None)
            if name is None:
                name = self.get_fresh_qualname("_param_constant")
                setattr(self.root, name, a)
            return self.create_node("get_attr", name, (), {})
        return super().create_arg(a)


def get_isolated_graphmodule(func, args, kwargs, tracing_mode="real", decomposition_table=None):
    return make_fx(lambda *a: func(*a, **kwargs), decomposition_table, tracing_mode)(*args)


def get_proxy_mode():
    return None


def snapshot_fake(val, include_real=False):
    return val


@contextlib.contextmanager
def maybe_disable_fake_tensor_mode():
    yield


disable_proxy_modes_tracing = maybe_enable_thunkify = maybe_disable_thunkify = maybe_disable_fake_tensor_mode

__getattr__ = _partial.of_pytorch(__name__)
