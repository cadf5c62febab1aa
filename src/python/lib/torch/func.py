"""torch.func: vmap. Derivatives raise where they are taken; what is left are stubs."""

from _fusescope import partial_modules as _partial, stubs
from torch._functorch.apis import vmap  # noqa: F401

grad, grad_and_value, hessian, jacfwd, jacrev, jvp, linearize, vjp = _partial.refused_functions(
    __name__,
    "a trace takes no derivatives inside a function",
    *"grad grad_and_value hessian jacfwd jacrev jvp linearize vjp".split(),
)

_STUBS = frozenset("debug_unwrap functional_call functionalize stack_module_state".split())


def __getattr__(name):
    if name in _STUBS:
        return stubs.missing(__name__, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
