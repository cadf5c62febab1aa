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


def _unpool(rank):
    def unpool(input, indices, kernel_size, stride=None, padding=0, output_size=None):
        kernel, around = _many(kernel_size, rank), _many(padding, rank)
        steps = kernel if stride is None else _many(stride, rank)
        sizes = input.size()[-rank:]
        least = [(n - 1) * step + k - 2 * pad for n, step, k, pad in zip(sizes, steps, kernel, around)]
        size = least if output_size is None else _unpool_size(list(output_size), least, steps)
        if rank > 1:
            return bridge.op(
                f"aten.max_unpool{rank}d.default", (input, indices, size, *_strided(rank, steps, around)), {}
            )
        wide = (input.unsqueeze(-1), indices.unsqueeze(-1), [*size, 1])
        return bridge.op("aten.max_unpool2d.default", wide, {}).squeeze(-1)

    unpool.__name__ = unpool.__qualname__ = f"max_unpool{rank}d"
    return unpool


def _strided(rank, steps, around):
    return (steps, around) if rank == 3 else ()


def _unpool_size(size, least, steps):
    rank = len(least)
    size = size[2:] if len(size) == rank + 2 else size
    if len(size) != rank:
        raise ValueError(
            "output_size should be a sequence containing "
            f"{rank} or {rank + 2} elements, but it has a length of '{len(size)}'"
        )
    for dim, (given, usual, step) in enumerate(zip(size, least, steps)):
        if not usual - step < given < usual + step:
            raise ValueError(
                f'invalid output_size "{size}" (dim {dim} must be between {usual - step} and {usual + step})'
            )
    return size


max_unpool1d, max_unpool2d, max_unpool3d = map(_unpool, (1, 2, 3))


def _fractional_max_pool(rank):
    def pool(input, kernel_size, output_size=None, output_ratio=None, return_indices=False, _random_samples=None):
        if output_size is None and output_ratio is None:
            raise ValueError(f"fractional_max_pool{rank}d requires specifying either an output_size or an output_ratio")
        if output_size is None:
            ratio = _many(output_ratio, rank)
            output_size = [int(n * part) for n, part in zip(input.size()[-rank:], ratio)]
        if _random_samples is None:
            shape = [input.size(0) if input.dim() == rank + 2 else 1, input.size(-rank - 1), rank]
            options = {"dtype": input.dtype, "device": input.device, "pin_memory": False}
            _random_samples = bridge.op("aten.rand.default", (shape,), options)
        args = (input, _many(kernel_size, rank), _many(output_size, rank), _random_samples)
        made = bridge.op(f"aten.fractional_max_pool{rank}d.default", args, {})
        return tuple(made) if return_indices else made[0]

    pool.__name__ = pool.__qualname__ = f"fractional_max_pool{rank}d"
    return pool


fractional_max_pool2d, fractional_max_pool3d = map(_fractional_max_pool, (2, 3))
