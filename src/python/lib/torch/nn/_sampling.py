"""Functions of torch.nn.functional that sample images: interpolate, grid_sample, unfold, fold."""

import math

from _fusescope import bridge

from . import _pooling

_UPSAMPLED = {
    ("nearest", 3): "upsample_nearest1d",
    ("nearest", 4): "upsample_nearest2d",
    ("nearest", 5): "upsample_nearest3d",
    ("nearest-exact", 3): "_upsample_nearest_exact1d",
    ("nearest-exact", 4): "_upsample_nearest_exact2d",
    ("nearest-exact", 5): "_upsample_nearest_exact3d",
    ("linear", 3): "upsample_linear1d",
    ("bilinear", 4): "upsample_bilinear2d",
    ("trilinear", 5): "upsample_trilinear3d",
    ("bicubic", 4): "upsample_bicubic2d",
}


def interpolate(
    input,
    size=None,
    scale_factor=None,
    mode="nearest",
    align_corners=None,
    recompute_scale_factor=None,
    antialias=False,
):
    aligned = mode not in ("nearest", "area", "nearest-exact")
    if not aligned and align_corners is not None:
        raise ValueError(
            "align_corners option can only be set with the interpolating modes: linear | bilinear | bicubic | trilinear"
        )
    if (size is None) == (scale_factor is None):
        raise ValueError(
            "either size or scale_factor should be defined"
            if size is None
            else "only one of size or scale_factor should be defined"
        )
    rank = input.ndim - 2
    many = lambda v: list(v) if isinstance(v, (list, tuple)) else [v] * rank  # noqa: E731
    size = None if size is None else many(size)
    factors = None if scale_factor is None else [float(f) for f in many(scale_factor)]
    if factors is not None and (recompute_scale_factor or mode == "area"):
        size, factors = [math.floor(d * f) for d, f in zip(input.shape[2:], factors)], None
    if mode == "area":
        return (_pooling.adaptive_avg_pool1d, _pooling.adaptive_avg_pool2d, _pooling.adaptive_avg_pool3d)[rank - 1](
            input, size
        )
    name = _UPSAMPLED.get((mode, input.ndim))
    if name is None:
        raise NotImplementedError(
            "Input Error: Only 3D, 4D and 5D input Tensors supported"
            f" (got {input.ndim}D) for the modes: nearest | linear | bilinear | bicubic | trilinear | area | nearest-exact"
            f" (got {mode})"
        )
    if antialias:
        if mode not in ("bilinear", "bicubic"):
            raise ValueError(
                "Anti-alias option is restricted to bilinear and bicubic modes and requires a 4-D tensor as input"
            )
        name = f"_{name}_aa"
    return bridge.op(f"aten.{name}.vec", (input, size, *([bool(align_corners)] if aligned else []), factors), {})


def upsample(input, size=None, scale_factor=None, mode="nearest", align_corners=None):
    return interpolate(input, size, scale_factor, mode, align_corners)


def _index(name, value, choices):
    if value not in choices:
        raise ValueError(
            f"nn.functional.grid_sample(): expected {name} to be one of {', '.join(map(repr, choices))}, but got: '{value}'"
        )
    return choices.index(value)


def grid_sample(input, grid, mode="bilinear", padding_mode="zeros", align_corners=None):
    args = (
        input,
        grid,
        _index("mode", mode, ["bilinear", "nearest", "bicubic"]),
        _index("padding_mode", padding_mode, ["zeros", "border", "reflection"]),
        bool(align_corners),
    )
    return bridge.op("aten.grid_sampler.default", args, {})


def _pair(value):
    return list(value) if isinstance(value, (list, tuple)) else [value, value]


def unfold(input, kernel_size, dilation=1, padding=0, stride=1):
    return bridge.op("aten.im2col.default", (input, *map(_pair, (kernel_size, dilation, padding, stride))), {})


def fold(input, output_size, kernel_size, dilation=1, padding=0, stride=1):
    return bridge.op(
        "aten.col2im.default", (input, *map(_pair, (output_size, kernel_size, dilation, padding, stride))), {}
    )


def affine_grid(theta, size, align_corners=None):
    if not theta.is_floating_point():
        raise ValueError(f"Expected theta to have floating point type, but got {theta.dtype}")
    ranks = {4: 2, 5: 3}
    if len(size) not in ranks:
        raise NotImplementedError(
            "affine_grid only supports 4D and 5D sizes, for 2D and 3D affine transforms, respectively. "
            f"Got size {size}."
        )
    rank = ranks[len(size)]
    if theta.dim() != 3 or tuple(theta.shape[-2:]) != (rank, rank + 1):
        raise ValueError(
            f"Expected a batch of {rank}D affine matrices of shape Nx{rank}x{rank + 1} for size {size}. Got {theta.shape}."
        )
    if min(size) <= 0:
        raise ValueError(f"Expected non-zero, positive output size. Got {size}")
    return bridge.op("aten.affine_grid_generator.default", (theta, list(size), bool(align_corners)), {})
