"""torch.ops: namespaces, packets and overloads. Any name exists; the tracer defines the operators."""

import sys

from _fusescope import bridge, engine, operators, wire
from _fusescope.graph import dialects

from . import overrides
from ._schema import Schema


class OperatorBase:
    """The base of overloads and of higher-order operators."""


class OpOverload(OperatorBase):
    def __init__(self, packet, overload):
        self._overloadpacket = packet
        self.overloadpacket = packet
        self._overloadname, self._opname = overload, packet._name
        self._fusescope_op = f"{packet._qualified}.{overload}"
        self.namespace = packet._ns
        self.__name__ = f"{packet._name}.{overload}"
        self.__qualname__ = self.__name__
        self.__module__ = f"torch._ops.{packet._ns}"

    def __call__(self, /, *args, **kwargs):
        if overrides.active and (found := overrides.find(args, kwargs)) is not None:
            return overrides.handled(self, args, kwargs, found)
        body = operators.implementation(self._fusescope_op)
        return body(*args, **kwargs) if body else bridge.op(self._fusescope_op, args, kwargs)

    @property
    def _name(self):
        return self.name()

    @property
    def tags(self):
        from ._tags import tags_of

        return tags_of(self, operators.tags(self._fusescope_op))

    @property
    def is_view(self):
        """True if a result aliases an argument and nothing is written."""
        return self._schema.is_view

    @property
    def _schema(self):
        return Schema(self, engine.schema(self._fusescope_op))

    def name(self):
        base = f"{self.namespace}::{self._overloadpacket._name}"
        return base if self._overloadname == "default" else f"{base}.{self._overloadname}"

    def redispatch(self, /, _keys, *args, **kwargs):
        return self(*args, **kwargs)

    def __str__(self):
        return self._fusescope_op

    def __repr__(self):
        return f"<OpOverload(op='{self._overloadpacket._qualified}', overload='{self._overloadname}')>"

    def __hash__(self):
        return hash(self._fusescope_op)

    def __eq__(self, other):
        return isinstance(other, OpOverload) and other._fusescope_op == self._fusescope_op


class OpOverloadPacket:
    def __init__(self, ns, name):
        self._ns = ns
        self._name = name
        self._qualified_op_name = f"{ns}::{name}"
        self._qualified = f"{ns}.{name}"
        self._fusescope_op = self._qualified
        self.__name__ = name
        self.__module__ = f"torch._ops.{ns}"

    def __getattr__(self, overload):
        if overload.startswith("__"):
            raise AttributeError(overload)
        known = self.overloads()
        if known and overload not in known and engine.schema(f"{self._qualified}.{overload}") is None:
            raise AttributeError(f"The underlying op of '{self._qualified}' has no overload name '{overload}'")
        found = OpOverload(self, overload)
        self.__dict__[overload] = found
        return found

    def __call__(self, /, *args, **kwargs):
        if overrides.active and (found := overrides.find(args, kwargs)) is not None:
            return overrides.handled(self, args, kwargs, found)
        body = operators.implementation(f"{self._qualified}.default")
        if body:
            return body(*args, **kwargs)
        try:
            return bridge.op(self._qualified, args, kwargs)
        except TypeError as e:
            if not str(e).startswith(f"{self._qualified.rpartition('.')[2]}(): argument "):
                raise
            refusals = self._refusals(args, kwargs)
        raise RuntimeError(refusals)

    def _refusals(self, args, kwargs):
        """Why no overload takes the arguments, where torch's own functions name the one argument."""
        texts = []
        for name in self.overloads():
            try:
                bridge.op(f"{self._qualified}.{name}", args, kwargs)
            except (RuntimeError, TypeError) as e:
                texts.append(str(e))
        if len(texts) == 1:
            return texts[0]
        listed = "".join(f"{text}\n\n" for text in texts)
        return f"Overloaded torch operator invoked from Python failed to match any schema:\n{listed}"

    def overloads(self):
        return [n.rpartition(".")[2] for n in engine.overloads(self._qualified)]

    def op_overloads(self):
        return [getattr(self, n) for n in self.overloads()]

    @property
    def op(self):
        return self

    def __str__(self):
        return self._qualified

    def __iter__(self):
        """The overloads that were asked for, as in PyTorch."""
        return iter([name for name, value in vars(self).items() if isinstance(value, OpOverload)])

    def __repr__(self):
        return f"<OpOverloadPacket(op='{self._qualified}')>"


class HigherOrderOperator(OperatorBase):
    def __init__(self, name):
        self._name = name
        self._fusescope_op = f"higher_order.{name}"
        self.__name__ = name
        self.__module__ = "torch.ops.higher_order"

    def name(self):
        return self._name

    def __call__(self, /, *args, **kwargs):
        if overrides.active and (found := overrides.find(args, kwargs)) is not None:
            return overrides.handled(self, args, kwargs, found)
        return bridge.op(self._fusescope_op, args, kwargs)

    def py_impl(self, key):
        """A decorator: the function is the operator's kernel for a dispatch key or mode, and none is called here."""
        return lambda fn: fn

    py_autograd_impl = py_functionalize_impl = staticmethod(lambda fn: fn)

    def fallthrough(self, dispatch_key):
        """A dispatch key that the operator passes through: nothing is dispatched here."""

    def __repr__(self):
        return f"<torch.ops.higher_order.{self._name}>"

    def __str__(self):
        return self._name


_SPECIAL = frozenset(f"__{i}{op}__" for op in ("and", "or", "xor", "lshift", "rshift") for i in ("", "i"))
_CLOSED = ("aten", "prims")  # namespaces with a complete list of operators


class _Namespace:
    def __init__(self, name):
        self._name = name
        self.__name__ = f"torch.ops.{name}"

    def __getattr__(self, op):
        if op.startswith("__") and op not in _SPECIAL:
            raise AttributeError(op)
        by_platform = operators.by_platform(self._name, op)
        if not (operators.there(self._name, op) if by_platform else self._has(op)):
            raise AttributeError(f"'_OpNamespace' '{self._name}' object has no attribute '{op}'")
        found = HigherOrderOperator(op) if self._name == "higher_order" else OpOverloadPacket(self._name, op)
        if not by_platform:  # another run may have another platform
            if operators.asks(sys._getframe(1)) and not operators.known(self._name, op):
                raise AttributeError(f"'_OpNamespace' '{self._name}' object has no attribute '{op}'")
            setattr(self, op, found)
        return found

    def _has(self, op):
        return self._name not in _CLOSED or engine.overloads(f"{self._name}.{op}") != []

    def __iter__(self):
        """The operators that were asked for, as in PyTorch."""
        return iter([name for name in vars(self) if not name.startswith("_")])

    def __repr__(self):
        return f"<module 'torch.ops.{self._name}' from 'torch.ops'>"


class _Ops:
    __name__ = "torch.ops"

    def __getattr__(self, ns):
        if ns.startswith("__"):
            raise AttributeError(ns)
        found = _Namespace(ns)
        setattr(self, ns, found)
        return found

    def load_library(self, path):
        """Does nothing: there are no kernels to load."""


ops = _Ops()


def overload_named(name):
    """`_C.rms_norm.default` → that OpOverload."""
    if (found := dialects.operator(name)) is not None:
        return found
    ns, op, *overload = name.split(".")
    found = getattr(getattr(ops, ns), op)
    return getattr(found, overload[0]) if overload else found


def _sent(data):
    """The name may be of a graph that anybody sent: it leads to operators, not to another attribute of these objects."""
    found = overload_named(data["op"])
    if isinstance(found, (OperatorBase, OpOverloadPacket)) or type(found).__module__.startswith(dialects.MODULE):
        return found
    raise AttributeError(f"there is no operator {data['op']}")


wire.register_key("op", _sent)
