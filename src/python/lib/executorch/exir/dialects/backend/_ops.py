"""Operators of the backend dialect, which a pass puts in the place of a pattern of the edge dialect."""

from executorch.exir.dialects.edge._ops import EdgeOpOverload, EdgeOpOverloadPacket

_BACKEND_OP_LIB = ["executorch_prim", "quantized_decomposed", "DO_NOT_USE_TEST_ONLY"]


class BackendOpOverload(EdgeOpOverload):
    _equivalent_callable = None

    def __init__(self, op_overload, schema=None):
        super().__init__(getattr(op_overload, "_op", op_overload), schema)


class BackendOpOverloadPacket(EdgeOpOverloadPacket):
    _of = BackendOpOverload
