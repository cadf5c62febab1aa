"""torch._functorch._aot_autograd: descriptions of the inputs and outputs of joint graphs."""

from _fusescope import partial_modules as _partial

__getattr__ = _partial.of_pytorch(__name__, listed=False)
