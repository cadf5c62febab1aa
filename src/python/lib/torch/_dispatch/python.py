"""torch._dispatch.python: the trace runs every operator in Python, so turning that on changes nothing."""

import contextlib

from _fusescope import partial_modules as _partial


class enable_python_dispatcher(contextlib.ContextDecorator):
    def __enter__(self):
        return None

    def __exit__(self, *exc):
        return None


no_python_dispatcher = enable_python_dispatcher

__getattr__ = _partial.of_pytorch(__name__, listed=False)
