from _fusescope import partial_modules as _partial
from .associative_scan import associative_scan  # noqa: F401
from .auto_functionalize import auto_functionalized, auto_functionalized_v2  # noqa: F401
from .cond import cond  # noqa: F401
from .map import map  # noqa: F401
from .scan import scan  # noqa: F401
from .while_loop import while_loop  # noqa: F401


__getattr__ = _partial.of_pytorch(__name__)
