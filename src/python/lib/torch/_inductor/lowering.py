"""torch._inductor.lowering: which operators have a lowering. Passes ask the table; nothing is lowered here."""

from _fusescope import partial_modules as _partial
from torch._ops import OpOverloadPacket

lowerings, fallbacks = {}, set()  # what the user's files registered


def _overloads(fns):
    for fn in fns if isinstance(fns, (list, tuple)) else [fns]:
        yield fn
        if isinstance(fn, OpOverloadPacket):
            yield from fn.op_overloads()


def register_lowering(
    aten_fn, broadcast=False, type_promotion_kind=None, convert_input_to_bool=False, lowering_dict=lowerings
):
    """A decorator; the function itself is never called, because it makes Inductor's IR."""

    def decorator(fn):
        lowering_dict.update((op, fn) for op in _overloads(aten_fn))
        return fn

    return decorator


__getattr__ = _partial.of_pytorch(__name__, listed=False)
