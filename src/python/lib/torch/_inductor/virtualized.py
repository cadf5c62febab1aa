"""torch._inductor.virtualized: V, of which a pass on a graph has the fake mode. The rest is of Inductor's lowering."""

import contextlib

from _fusescope import partial_modules as _partial


class _Virtualized:
    @property
    def fake_mode(self):
        from torch._subclasses.fake_tensor import FakeTensorMode

        return FakeTensorMode()

    def get_fake_mode(self):
        return self.fake_mode

    @contextlib.contextmanager
    def set_fake_mode(self, mode):
        yield mode

    def __getattr__(self, name):
        raise NotImplementedError(
            f"Fusescope has no V.{name}: it is of Inductor's lowering, after the passes on the graph"
        )


V = _Virtualized()

__getattr__ = _partial.of_pytorch(__name__, listed=False)
