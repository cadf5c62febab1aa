"""torch.func."""

from _fusescope import partial_modules as _partial, stubs
from torch._functorch.apis import vmap  # noqa: F401
from torch._functorch.eager_transforms import (  # noqa: F401
    grad,
    grad_and_value,
    hessian,
    jacfwd,
    jacrev,
    jvp,
    vjp,
)
from torch._functorch.functional_call import functional_call, stack_module_state  # noqa: F401

(linearize,) = _partial.refused_functions(__name__, "its trace inside a trace is not implemented", "linearize")

_STUBS = frozenset("debug_unwrap functionalize".split())


def __getattr__(name):
    if name in _STUBS:
        return stubs.missing(__name__, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
