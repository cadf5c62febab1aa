"""`ops.edge.aten.add.Tensor`: the operators of ExecuTorch's dialects."""

import types

import torch
from executorch.exir.dialects.backend._ops import _BACKEND_OP_LIB, BackendOpOverloadPacket
from executorch.exir.dialects.edge._ops import EdgeOpOverloadPacket

_OPOVERLOAD_PACKET_CLS_MAPPING = {"edge": EdgeOpOverloadPacket, "backend": BackendOpOverloadPacket}


def bind_pattern_to_op(library, schema_or_name):
    """A decorator: the function becomes the body of a backend operator, which is defined where the text is a schema."""
    text = schema_or_name.split("::")[-1]

    def wrapper(f):
        if library.ns not in _BACKEND_OP_LIB:
            _BACKEND_OP_LIB.append(library.ns)
        name = text.split("(")[0].strip()
        if "(" in text:
            library.define(text)
        library.impl(name, f, "CompositeImplicitAutograd")
        packet, _, overload = name.partition(".")
        bound = getattr(getattr(getattr(ops.backend, library.ns), packet), overload or "default")
        bound._equivalent_callable = f
        return f

    return wrapper


class _OpNamespace(types.ModuleType):
    def __init__(self, dialect, name):
        super().__init__(f"exir.ops.{dialect}.{name}")
        if dialect == "backend" and name not in _BACKEND_OP_LIB:
            raise RuntimeError(f"{name} op library does not belong to backend ops.")
        self._dialect, self._name, self._dir = dialect, name, []
        self._op_namespace = getattr(torch.ops, name)

    def __iter__(self):
        return iter(self._dir)

    def __getattr__(self, op_name):
        if op_name == "__file__":
            return "exir.ops"
        if op_name == "_op_namespace":
            raise AttributeError(op_name)
        try:
            below = getattr(self._op_namespace, op_name)
        except AttributeError as e:
            raise AttributeError(
                f"'_OpNamespace' '{self._dialect}.{self._name}' object has no attribute '{op_name}'"
            ) from e
        made = _OPOVERLOAD_PACKET_CLS_MAPPING[self._dialect](f"{self._name}::{op_name}", op_name, below)
        setattr(self, op_name, made)
        self._dir.append(op_name)
        return made


class _DialectNamespace(types.ModuleType):
    def __init__(self, dialect_name):
        super().__init__(f"exir.ops.{dialect_name}")
        self._dialect_name, self._dir = dialect_name, []

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        made = _OpNamespace(self._dialect_name, name)
        setattr(self, name, made)
        self._dir.append(name)
        return made


class _Ops(types.ModuleType):
    __file__ = "_ops.py"

    def __init__(self):
        super().__init__("exir.ops")
        self._dir = []

    def __getattr__(self, name):
        if name not in _OPOVERLOAD_PACKET_CLS_MAPPING:
            raise AttributeError(name)
        made = _DialectNamespace(name)
        setattr(self, name, made)
        self._dir.append(name)
        return made

    def __iter__(self):
        return iter(self._dir)


ops = _Ops()
