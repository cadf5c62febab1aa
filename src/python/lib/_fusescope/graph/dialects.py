"""Targets of ExecuTorch's dialects, which have operator objects of their own beside torch.ops (src/fx/dialect.ts)."""

import importlib
import re
from typing import Any

from .. import engine

MODULE = "executorch.exir.dialects."
_TARGET = re.compile(r"python:executorch\.exir\.dialects\.(edge|backend)\._ops\.(\w+)\.(\w+)\.(\w+)")


def target(module: str, name: str) -> str:
    """The target of `aten.add.Tensor` in a dialect's module."""
    return f"python:{module}.{name}"


def shown(name: str) -> str:
    """`edge.aten.add.Tensor` of such a target; another unchanged."""
    return name.removeprefix(f"python:{MODULE}").replace("._ops.", ".", 1) if _TARGET.fullmatch(name) else name


def operator(name: str) -> Any:
    """The operator of such a target; None for another."""
    found = _TARGET.fullmatch(name)
    if found is None:
        return None
    dialect, namespace, op, overload = found.groups()
    ops = importlib.import_module("executorch.exir.dialects._ops").ops
    if dialect == "backend":
        # Written in the graph: its namespace need not be bound.
        libraries = importlib.import_module("executorch.exir.dialects.backend._ops")._BACKEND_OP_LIB
        if namespace not in libraries:
            libraries.append(namespace)
    return getattr(getattr(getattr(getattr(ops, dialect), namespace), op), overload)


def out_variant(op: Any) -> Any:
    """The overload of an operator that writes the same result into `out`."""
    packet = op.overloadpacket

    def inputs(schema):
        return [(a.name, str(a.type)) for a in schema.arguments if not a.is_out]

    wanted = inputs(op._schema)
    for overload in engine.overloads(packet._qualified):
        found = getattr(packet, overload.rpartition(".")[2])
        if any(a.is_out for a in found._schema.arguments) and inputs(found._schema) == wanted:
            return found
    raise RuntimeError(f"SchemaKind.out variant of operator {op.name()} can't be found.")
