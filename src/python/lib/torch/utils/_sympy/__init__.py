"""torch.utils._sympy: the parts that read ranges and divide sizes. Expressions are text here, and sympy is not there."""

from _fusescope import partial_modules as _partial

__getattr__ = _partial.of_pytorch(__name__, listed=False)
