"""sglang.srt.compilation.inductor_pass: the base classes of SGLang's graph passes; adapted from vLLM's, as in SGLang."""

import contextlib
import logging
import time

from _fusescope import environment
from torch._inductor.custom_graph_pass import CustomGraphPass  # noqa: F401
from vllm.compilation.passes.inductor_pass import CallableInductorPass, InductorPass, enable_fake_mode  # noqa: F401

logger = logging.getLogger(__name__)
_contexts = []


class PassContext:
    """The token count of the compilation; None: any."""

    def __init__(self, runtime_shape):
        self.runtime_shape = runtime_shape


def get_pass_context():
    """Outside pass_context(…): the environment's token count."""
    if _contexts:
        return _contexts[-1]
    return PassContext(environment.answer("get_pass_context().runtime_shape", environment.tokens()))


@contextlib.contextmanager
def pass_context(runtime_shape):
    _contexts.append(PassContext(runtime_shape))
    try:
        yield
    finally:
        _contexts.pop()


class SGLangInductorPass(InductorPass):
    """A pass that measures its duration."""

    def __init__(self):
        self.pass_name = type(self).__name__

    def dump_graph(self, graph, stage):
        """Does nothing: the Pipeline panel shows the graph after each pass."""

    def begin(self):
        self._start_time = time.perf_counter_ns()

    def end_and_log(self):
        self._end_time = time.perf_counter_ns()
        logger.debug("%s completed in %.1f ms", self.pass_name, (self._end_time - self._start_time) / 1e6)


class PrinterInductorPass(SGLangInductorPass):
    def __init__(self, name):
        super().__init__()
        self.name = name

    def __call__(self, graph):
        self.dump_graph(graph, self.name)
