"""torch.fx.passes.infra.pass_base: a pass is an object that is called with a GraphModule."""

import abc
from collections import namedtuple

from _fusescope import partial_modules as _partial


class PassResult(namedtuple("PassResult", ["graph_module", "modified"])):
    __slots__ = ()


class PassBase(abc.ABC):
    """Calls requires, call and ensures in turn."""

    def __new__(cls, *args, **kwargs):
        from _fusescope.pipeline import made

        return made.noted(super().__new__(cls))

    def __call__(self, graph_module):
        self.requires(graph_module)
        result = self.call(graph_module)
        self.ensures(graph_module)
        return result

    @abc.abstractmethod
    def call(self, graph_module):
        """The pass itself. Returns a PassResult or None."""

    def requires(self, graph_module):
        """A check before the pass, for subclasses."""

    def ensures(self, graph_module):
        """A check after the pass, for subclasses."""


__getattr__ = _partial.of_pytorch(__name__)
