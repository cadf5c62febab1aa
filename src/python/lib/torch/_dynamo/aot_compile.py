"""torch._dynamo.aot_compile: the base of compiled artifacts, which backends inherit from. Nothing is compiled."""

import abc

from _fusescope import stubs


class SerializableCallable(abc.ABC):
    @classmethod
    @abc.abstractmethod
    def serialize_compile_artifacts(cls, fn):
        pass

    @classmethod
    @abc.abstractmethod
    def deserialize_compile_artifacts(cls, data):
        pass


def __getattr__(name):
    if name.startswith("__"):
        raise AttributeError(name)
    return stubs.missing(__name__, name)
