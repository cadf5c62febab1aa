"""torch.func: vmap; other transformations are stubs."""

from _fusescope import stubs
from torch._functorch.apis import vmap  # noqa: F401

_STUBS = frozenset(
    "debug_unwrap functional_call functionalize grad grad_and_value hessian jacfwd jacrev jvp linearize stack_module_state vjp".split()
)


def __getattr__(name):
    if name in _STUBS:
        return stubs.missing(__name__, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
