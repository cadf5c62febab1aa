"""sglang.srt.compilation.inductor_pass: what SGLang's graph passes inherit from."""
import contextlib
import hashlib
import inspect
import json
import logging
import time
import types

from torch._inductor.custom_graph_pass import CustomGraphPass

logger = logging.getLogger(__name__)
_contexts = []


class PassContext:
    def __init__(self, runtime_shape):
        self.runtime_shape = runtime_shape


def get_pass_context():
    assert _contexts, "passes run inside pass_context()"
    return _contexts[-1]


@contextlib.contextmanager
def pass_context(runtime_shape):
    """Passes run for this token count; None: for any."""
    _contexts.append(PassContext(runtime_shape))
    try:
        yield
    finally:
        _contexts.pop()


class InductorPass(CustomGraphPass):
    """A pass that a compile cache knows by its source."""

    def uuid(self):
        return InductorPass.hash_source(self)

    @staticmethod
    def hash_source(*srcs):
        """SHA-256 over strings and the sources of functions and of objects' classes."""
        digest = hashlib.sha256()
        for src in srcs:
            if not isinstance(src, str):
                src = inspect.getsource(src if isinstance(src, types.FunctionType) else type(src))
            digest.update(src.encode())
        return digest.hexdigest()

    @staticmethod
    def hash_dict(dict_):
        return hashlib.sha256(json.dumps(dict_, sort_keys=True).encode()).hexdigest()

    def is_applicable_for_shape(self, shape):
        return True


class CallableInductorPass(InductorPass):
    """A function as a pass."""

    def __init__(self, callable, uuid=None):
        self.callable = callable
        self._uuid = self.hash_source(callable) if uuid is None else uuid

    def __call__(self, graph):
        self.callable(graph)

    def uuid(self):
        return self._uuid


class SGLangInductorPass(InductorPass):
    """A pass that times itself."""

    def __init__(self):
        self.pass_name = type(self).__name__

    def dump_graph(self, graph, stage):
        """Nothing to dump: the panel Pipeline has the graph after each pass."""

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
