"""Operators of the edge dialect: objects of their own, each of which calls one of torch.ops."""

from _fusescope.graph import dialects


class EdgeDialectFunctionSchema:
    """The schema of the operator below. The dtypes that ExecuTorch's kernels take are not known here."""

    def __init__(self, schema):
        self.schema = schema

    def __getattr__(self, name):
        return getattr(self.schema, name)

    def __str__(self):
        return str(self.schema)


class EdgeOpOverload:
    def __init__(self, op, schema):
        self._op, self._given = op, schema
        self.__name__ = f"{op.namespace}.{op.__name__}"
        self._fusescope_op = dialects.target(type(self).__module__, self.__name__)

    @property
    def _schema(self):
        schema = self._given or self._op._schema
        return schema if isinstance(schema, EdgeDialectFunctionSchema) else EdgeDialectFunctionSchema(schema)

    def to_out_variant(self):
        return dialects.out_variant(self._op)

    def __getattr__(self, name):
        if name == "_op":
            raise AttributeError(name)
        return getattr(self._op, name)

    def __call__(self, /, *args, **kwargs):
        return self._op(*args, **kwargs)

    def __hash__(self):
        return hash(self._fusescope_op)

    def __eq__(self, other):
        return isinstance(other, EdgeOpOverload) and other._fusescope_op == self._fusescope_op

    def __repr__(self):
        return f"<EdgeOpOverload: {self.__name__}>: schema = {self._op._schema}"

    __str__ = __repr__


class EdgeOpOverloadPacket:
    _of = EdgeOpOverload

    def __init__(self, qualified_op_name, op_name, parent_overload_packet):
        self._parent_overload_packet = parent_overload_packet
        self._qualified_op_name, self._name = qualified_op_name, op_name
        self._parent_qualified_op_name = parent_overload_packet._qualified_op_name
        self.__name__ = qualified_op_name.replace("::", ".")
        self._op, self._dir = parent_overload_packet, []

    def __getattr__(self, key):
        if key == "__file__":
            return "exir.ops.edge"
        if key == "_parent_overload_packet" or key.startswith("__"):
            raise AttributeError(key)
        try:
            below = getattr(self._parent_overload_packet, key)
        except AttributeError:
            raise AttributeError(f"The underlying op of '{self}' has no overload name '{key}'") from None
        made = self._of(below, None)
        setattr(self, key, made)
        self._dir.append(key)
        return made

    def overloads(self):
        return self._parent_overload_packet.overloads()

    @property
    def op(self):
        return self._op

    def __call__(self, /, *args, **kwargs):
        return self._parent_overload_packet(*args, **kwargs)

    def __str__(self):
        return self.__name__

    def __repr__(self):
        return f"<{type(self).__name__}(op='{self}', parent_op='{self._parent_qualified_op_name.replace('::', '.')}')>"
