"""torch.nn.utils.fusion: weights of a convolution or a linear layer with the batch normalization after it, as fake tensors."""

import torch

from _fusescope import partial_modules as _partial


def _scaled(weight, bias, mean, variance, eps, scale, shift, shape):
    """The parameters (weight * s, (bias - mean) * s + shift) where s is scale / sqrt(variance + eps)."""
    kept = weight.dtype, weight.dtype if bias is None else bias.dtype
    bias = torch.zeros_like(mean) if bias is None else bias
    scale = torch.ones_like(mean) if scale is None else scale
    shift = torch.zeros_like(mean) if shift is None else shift
    factor = scale * torch.rsqrt(variance + eps)
    fused = (weight * factor.reshape(shape)).to(dtype=kept[0]), ((bias - mean) * factor + shift).to(dtype=kept[1])
    return tuple(torch.nn.Parameter(value) for value in fused)


def fuse_conv_bn_weights(conv_w, conv_b, bn_rm, bn_rv, bn_eps, bn_w, bn_b, transpose=False):
    rest = [1] * (len(conv_w.shape) - 2)
    shape = [1, -1, *rest] if transpose else [-1, 1, *rest]
    return _scaled(conv_w, conv_b, bn_rm, bn_rv, bn_eps, bn_w, bn_b, shape)


def fuse_linear_bn_weights(linear_w, linear_b, bn_rm, bn_rv, bn_eps, bn_w, bn_b):
    return _scaled(linear_w, linear_b, bn_rm, bn_rv, bn_eps, bn_w, bn_b, [-1, 1])


__getattr__ = _partial.of_pytorch(__name__, listed=False)
