"""torch.profiler: nothing is measured; a recorded block runs as it is."""

import contextlib

from _fusescope import partial_modules as _partial


class record_function(contextlib.ContextDecorator):
    def __init__(self, name, args=None):
        self.name, self.args = name, args

    def __enter__(self):
        return self

    def __exit__(self, *exc):
        return False


__getattr__ = _partial.of_pytorch(__name__, listed=False)
