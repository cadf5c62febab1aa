"""flex_attention in a trace: its score and its mask functions are graphs of their own, with what they close over as further inputs."""

from _fusescope import engine, partial_modules as _partial, wire
from _fusescope.torch_version import is_since
from torch._ops import ops
from torch._tensor.indexing import whole_index

from ._branches import branch, call, closed_over, encoded

flex_attention = ops.higher_order.flex_attention


def traced(query, key, value, score_mod, block_mask, scale, kernel_options):
    """Records the call. Returns the output, the logarithms of the sums and the greatest scores."""
    if not is_since("2.14"):
        raise NotImplementedError(
            "Fusescope traces flex_attention as PyTorch 2.14 does: an older one has other arguments"
        )
    *mask, mask_mod = block_mask
    score, *indices = _scalars(query)
    with whole_index():
        scores, score_closure = _body(score_mod, [score, *indices])
        masks, mask_closure = _body(mask_mod, indices)
    tensors = encoded(t._id for t in (query, key, value))
    options = [wire.encode(v) for v in (tuple(mask), scale, kernel_options)]
    return call("flex_attention", [scores, masks], *tensors, *options, {"t": score_closure}, {"t": mask_closure})


def _body(fn, samples):
    """A traced function, and what it closes over."""
    inputs = [t._id for t in samples]
    number, used, _ = branch(fn, samples, inputs, "tensor")
    return number, encoded(closed_over(used, inputs))


def _scalars(query):
    """A score and four indices, which no trace records."""
    import torch

    engine.branch([])
    try:
        return [
            torch.zeros((), dtype=query.dtype, device=query.device),
            *(torch.zeros((), dtype=torch.int, device=query.device) for _ in range(4)),
        ]
    finally:
        engine.branch_abort()


__getattr__ = _partial.of_pytorch(__name__, listed=False)
