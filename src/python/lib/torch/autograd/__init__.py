"""torch.autograd: functions with a backward of their own, which a trace calls forward; there is no gradient."""

from _fusescope import partial_modules as _partial

from .function import Function, FunctionCtx  # noqa: F401

__getattr__ = _partial.of_pytorch(__name__, listed=False)
