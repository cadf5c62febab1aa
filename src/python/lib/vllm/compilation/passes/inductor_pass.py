"""vllm.compilation.passes.inductor_pass: the cache key of a pass in Inductor, and the compile range."""

import contextlib
import functools
import hashlib
import inspect
import json
import types

from _fusescope import environment
from _fusescope.pipeline import compiling
from torch._inductor.custom_graph_pass import CustomGraphPass
from torch._subclasses.fake_tensor import FakeTensorMode, unset_fake_temporarily


class PassContext:
    def __init__(self, compile_range):
        self.compile_range = compile_range
        self.donated_input_ids = set()


_contexts = []


def get_pass_context():
    """Outside pass_context(…): the environment's token count, or every count if it is symbolic."""
    if _contexts:
        return _contexts[-1]
    found = compiling.compile_range()
    return PassContext(environment.answer("get_pass_context().compile_range", found, str(found)))


@contextlib.contextmanager
def pass_context(compile_range):
    _contexts.append(PassContext(compile_range))
    try:
        yield
    finally:
        _contexts.pop()


class InductorPass(CustomGraphPass):
    """A pass that is identified by the hash of its source."""

    def uuid(self):
        return InductorPass.hash_source(self)

    @staticmethod
    def hash_source(*srcs):
        """Hashes strings as they are, functions and classes by their source, other objects by the source of their class."""
        hashed = hashlib.sha256()
        for src in srcs:
            if not isinstance(src, str):
                src = inspect.getsource(src if isinstance(src, (types.FunctionType, type)) else type(src))
            hashed.update(src.encode())
        return hashed.hexdigest()

    @staticmethod
    def hash_dict(dict_):
        return hashlib.sha256(json.dumps(dict_, sort_keys=True).encode()).hexdigest()

    def is_applicable_for_range(self, compile_range):
        return True

    def is_applicable(self, shape):
        """The former query, from before compile ranges existed."""
        return True

    is_applicable_for_shape = is_applicable


class CallableInductorPass(InductorPass):
    """A function as a pass."""

    def __init__(self, callable, uuid=None):
        self.callable = callable
        self._uuid = self.hash_source(callable) if uuid is None else uuid

    def __call__(self, graph):
        self.callable(graph)

    def uuid(self):
        return self._uuid


def enable_fake_mode(fn):
    """Calls fn; tensors created by it have no memory."""

    @functools.wraps(fn)
    def wrapped(*args, **kwargs):
        with unset_fake_temporarily(), FakeTensorMode():
            return fn(*args, **kwargs)

    return wrapped
