"""torch._C._nn: the C functions of neural networks, some of which are torch.nn.functional's own."""

from torch import _functions
from torch._homes import C_NAMES, OF_C

_SHARED = {there: here for here, there in OF_C.items()}


def __getattr__(name):
    from torch.nn import functional

    if name not in C_NAMES["nn"]:
        raise AttributeError(f"module 'torch._C._nn' has no attribute '{name}'")
    found = vars(functional).get(_SHARED.get(name)) or _functions.dispatching(name, __name__)
    globals()[name] = found
    return found
