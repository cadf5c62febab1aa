"""The pools of torch.nn.functional."""

from _fusescope import bridge


def max_pool2d(input, kernel_size, stride=None, padding=0, dilation=1, ceil_mode=False, return_indices=False):
    args = (
        input,
        _pair(kernel_size),
        [] if stride is None else _pair(stride),
        _pair(padding),
        _pair(dilation),
        ceil_mode,
    )
    return bridge.op("aten.max_pool2d_with_indices" if return_indices else "aten.max_pool2d", args, {})


def _adaptive_max_pool(rank):
    def pool(input, output_size, return_indices=False):
        size = _or_own(input, _many(output_size, rank))
        values, indices = bridge.op(f"aten.adaptive_max_pool{rank}d.default", (input, size), {})
        return (values, indices) if return_indices else values

    return pool


adaptive_max_pool1d, adaptive_max_pool2d, adaptive_max_pool3d = map(_adaptive_max_pool, (1, 2, 3))


def avg_pool2d(
    input, kernel_size, stride=None, padding=0, ceil_mode=False, count_include_pad=True, divisor_override=None
):
    args = (
        input,
        _pair(kernel_size),
        _pair(stride) if stride is not None else [],
        _pair(padding),
        ceil_mode,
        count_include_pad,
        divisor_override,
    )
    return bridge.op("aten.avg_pool2d", args, {})


def adaptive_avg_pool2d(input, output_size):
    return bridge.op("aten.adaptive_avg_pool2d", (input, _or_own(input, _pair(output_size))), {})


def _pair(value):
    return list(value) if isinstance(value, (list, tuple)) else [value, value]


def adaptive_avg_pool1d(input, output_size):
    return bridge.op(
        "aten.adaptive_avg_pool1d", (input, [output_size] if isinstance(output_size, int) else list(output_size)), {}
    )


def adaptive_avg_pool3d(input, output_size):
    return bridge.op("aten.adaptive_avg_pool3d", (input, _or_own(input, _triple(output_size))), {})


def _or_own(input, sizes):
    """A size that is None is that of the input."""
    return [own if size is None else size for size, own in zip(sizes, input.size()[-len(sizes) :])]


def _triple(value):
    return list(value) if isinstance(value, (list, tuple)) else [value] * 3


def _many(value, rank):
    return list(value) if isinstance(value, (list, tuple)) else [value] * rank


def _lp_pool(rank):
    def pool(input, norm_type, kernel_size, stride=None, ceil_mode=False):
        kernel = _many(kernel_size, rank)
        steps = [] if stride is None else _many(stride, rank)
        out = bridge.op(f"aten.avg_pool{rank}d", (input.pow(norm_type), kernel, steps, [0] * rank, ceil_mode), {})
        count = 1
        for size in kernel:
            count *= size
        return (out.sign() * out.abs().relu()).mul(count).pow(1.0 / norm_type)

    return pool


lp_pool1d, lp_pool2d, lp_pool3d = map(_lp_pool, (1, 2, 3))


def local_response_norm(input, size, alpha=1e-4, beta=0.75, k=1.0):
    """Divides by a power of the mean square over neighboring channels: an average pool along the channels."""
    if input.dim() < 3:
        raise ValueError(
            f"Expected 3D or higher dimensionality                          input (got {input.dim()} dimensions)"
        )
    around = [size // 2, (size - 1) // 2]
    square = input.mul(input)
    if input.dim() == 3:
        padded = bridge.op("aten.constant_pad_nd.default", (square.unsqueeze(1), [0, 0, *around], 0.0), {})
        mean = bridge.op("aten.avg_pool2d", (padded, [size, 1], [1, 1]), {}).squeeze(1)
    else:
        sizes = input.size()
        square = square.view(sizes[0], 1, sizes[1], sizes[2], -1)
        padded = bridge.op("aten.constant_pad_nd.default", (square, [0, 0, 0, 0, *around], 0.0), {})
        mean = bridge.op("aten.avg_pool3d", (padded, [size, 1, 1], [1, 1, 1]), {}).squeeze(1).view(sizes)
    return input / mean.mul(alpha).add(k).pow(beta)
