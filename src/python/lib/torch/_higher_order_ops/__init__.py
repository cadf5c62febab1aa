from _fusescope import partial_modules as _partial
from .auto_functionalize import auto_functionalized, auto_functionalized_v2  # noqa: F401


__getattr__ = _partial.of_pytorch(__name__)
