"""Convolutions and batch norms of torch.nn: their parameters, and the function that forward calls."""

import torch
from torch._tensor import parameter

from . import functional, init


def convolution(base, rank):
    """The class ConvNd of that number of spatial dimensions."""
    function = getattr(functional, f"conv{rank}d")

    def several(value):
        return tuple(value) if isinstance(value, (list, tuple)) else (value,) * rank

    class Conv(base):
        def __init__(
            self,
            in_channels,
            out_channels,
            kernel_size,
            stride=1,
            padding=0,
            dilation=1,
            groups=1,
            bias=True,
            padding_mode="zeros",
            device=None,
            dtype=None,
        ):
            if padding_mode != "zeros":
                raise NotImplementedError(f"Fusescope's torch.nn.Conv{rank}d has no padding_mode {padding_mode!r}")
            self.in_channels, self.out_channels, self.groups, self.padding_mode = (
                in_channels,
                out_channels,
                groups,
                padding_mode,
            )
            self.kernel_size, self.stride, self.dilation = several(kernel_size), several(stride), several(dilation)
            self.padding = padding if isinstance(padding, str) else several(padding)
            self.weight = parameter(
                torch.empty(out_channels, in_channels // groups, *self.kernel_size, device=device, dtype=dtype)
            )
            self.register_parameter(
                "bias", parameter(torch.empty(out_channels, device=device, dtype=dtype)) if bias else None
            )
            self.reset_parameters()

        def reset_parameters(self):
            init.fill_product(self.weight, self.bias)

        def extra_repr(self):
            text = f"{self.in_channels}, {self.out_channels}, kernel_size={self.kernel_size}, stride={self.stride}"
            once = (1,) * rank
            text += "" if self.padding == (0,) * rank else f", padding={self.padding}"
            text += "" if self.dilation == once else f", dilation={self.dilation}"
            text += "" if self.groups == 1 else f", groups={self.groups}"
            return text if self.bias is not None else f"{text}, bias=False"

        def forward(self, input):
            return function(input, self.weight, self.bias, self.stride, self.padding, self.dilation, self.groups)

    Conv.__name__ = Conv.__qualname__ = f"Conv{rank}d"
    return Conv


def batch_norm(base, rank):
    """The class BatchNormNd."""

    class BatchNorm(base):
        def __init__(
            self, num_features, eps=1e-5, momentum=0.1, affine=True, track_running_stats=True, device=None, dtype=None
        ):
            def vector(wanted, fill):
                return fill(num_features, device=device, dtype=dtype) if wanted else None

            self.num_features, self.eps, self.momentum, self.affine = num_features, eps, momentum, affine
            self.track_running_stats = track_running_stats
            for name in ("weight", "bias"):
                self.register_parameter(name, parameter(vector(affine, torch.empty)) if affine else None)
            self.register_buffer("running_mean", vector(track_running_stats, torch.zeros))
            self.register_buffer("running_var", vector(track_running_stats, torch.ones))
            count = torch.tensor(0, dtype=torch.long, device=device) if track_running_stats else None
            self.register_buffer("num_batches_tracked", count)
            self.reset_parameters()

        def reset_running_stats(self):
            if self.track_running_stats:
                self.running_mean.zero_()
                self.running_var.fill_(1)
                self.num_batches_tracked.zero_()

        def reset_parameters(self):
            self.reset_running_stats()
            if self.affine:
                init.ones_(self.weight)
                init.zeros_(self.bias)

        def extra_repr(self):
            return (
                f"{self.num_features}, eps={self.eps}, momentum={self.momentum}, affine={self.affine}, "
                f"track_running_stats={self.track_running_stats}"
            )

        def forward(self, input):
            training = self.training or self.running_mean is None
            momentum = 0.0 if self.momentum is None else self.momentum
            return functional.batch_norm(
                input, self.running_mean, self.running_var, self.weight, self.bias, training, momentum, self.eps
            )

    BatchNorm.__name__ = BatchNorm.__qualname__ = f"BatchNorm{rank}d"
    return BatchNorm


class EmbeddingForward:
    """The parameters of torch.nn.Embedding, and its forward."""

    def __init__(
        self,
        num_embeddings,
        embedding_dim,
        padding_idx=None,
        max_norm=None,
        norm_type=2.0,
        scale_grad_by_freq=False,
        sparse=False,
        device=None,
        dtype=None,
    ):
        self.num_embeddings, self.embedding_dim, self.padding_idx = num_embeddings, embedding_dim, padding_idx
        self.max_norm, self.norm_type, self.scale_grad_by_freq, self.sparse = (
            max_norm,
            norm_type,
            scale_grad_by_freq,
            sparse,
        )
        self.weight = parameter(torch.empty(num_embeddings, embedding_dim, device=device, dtype=dtype))
        self.reset_parameters()

    def reset_parameters(self):
        init.normal_(self.weight)
        if self.padding_idx is not None:
            self.weight[self.padding_idx].fill_(0)

    def extra_repr(self):
        return f"{self.num_embeddings}, {self.embedding_dim}"

    def forward(self, input):
        return functional.embedding(
            input, self.weight, self.padding_idx, self.max_norm, self.norm_type, self.scale_grad_by_freq, self.sparse
        )
