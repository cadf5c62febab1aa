"""The wrappers that functionalize a mutating operator in the graph."""

from _fusescope import partial_modules as _partial
from torch._ops import ops

auto_functionalized = ops.higher_order.auto_functionalized
auto_functionalized_v2 = ops.higher_order.auto_functionalized_v2


def clone_preserve_strides(x):
    """A clone with the strides of the tensor, made from its whole storage."""
    length = 0 if 0 in x.shape else 1 + sum((d - 1) * s for d, s in zip(x.shape, x.stride())) + x.storage_offset()
    buffer = x.as_strided((length,), (1,), 0).clone()
    return buffer.as_strided(x.size(), x.stride(), x.storage_offset())


def auto_functionalized_dense(_mutable_op, _only_clone_these_tensors=None, **kwargs):
    """The call that auto_functionalized represents: the operator on clones of its mutated arguments, which are returned
    after its results."""
    given, written = dict(kwargs), []
    for name in (a.name for a in _mutable_op._schema.arguments if a.is_write):
        value = kwargs[name]
        if value is not None and (_only_clone_these_tensors is None or name in _only_clone_these_tensors):
            value = (
                [clone_preserve_strides(x) for x in value] if isinstance(value, list) else clone_preserve_strides(value)
            )
        given[name] = value
        written.append(value)
    out = _mutable_op(**given)
    return (*out, *written) if isinstance(out, tuple) else (out, *written)


def get_mutable_args(op):
    """Names and types of the arguments that the operator writes."""
    written = [a for a in op._schema.arguments if a.is_write]
    return [a.name for a in written], [a.type for a in written]


__getattr__ = _partial.of_pytorch(__name__)
