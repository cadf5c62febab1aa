"""vllm.model_executor.layers.layernorm: RMSNorm, with and without the residual's addition or a gate."""

import torch
import torch.nn.functional as F
from vllm.model_executor.custom_op import CustomOp


@CustomOp.register("rms_norm")
class RMSNorm(CustomOp):
    def __init__(self, hidden_size, eps=1e-6, var_hidden_size=None, has_weight=True, dtype=None):
        super().__init__()
        self.hidden_size, self.variance_epsilon, self.variance_size_override = hidden_size, eps, var_hidden_size
        self.weight = torch.ones(hidden_size, dtype=dtype) if has_weight else None

    @staticmethod
    def forward_static(
        x, variance_epsilon, hidden_size, orig_dtype, weight=None, residual=None, variance_size_override=None
    ):
        """Computes in float32 up to the weight; with a residual, also returns the sum as the next layer's residual."""
        x = x.to(torch.float32)
        if residual is not None:
            x = x + residual
            residual = x.to(orig_dtype)
        over = x if variance_size_override is None else x[..., :variance_size_override]
        variance = over.pow(2).mean(dim=-1, keepdim=True)
        x = (x * torch.rsqrt(variance + variance_epsilon)).to(orig_dtype)
        if weight is not None:
            x = x * weight
        return x if residual is None else (x, residual)

    def forward_native(self, x, residual=None):
        return self.forward_static(
            x, self.variance_epsilon, self.hidden_size, x.dtype, self.weight, residual, self.variance_size_override
        )

    def forward_cuda(self, x, residual=None):
        if residual is not None:
            torch.ops._C.fused_add_rms_norm(x, residual, self.weight, self.variance_epsilon)
            return x, residual
        out = torch.empty_like(x)
        torch.ops._C.rms_norm(out, x, self.weight, self.variance_epsilon)
        return out


@CustomOp.register("rms_norm_gated")
class RMSNormGated(CustomOp):
    def __init__(
        self,
        hidden_size,
        eps=1e-5,
        group_size=None,
        norm_before_gate=False,
        device=None,
        dtype=None,
        activation="swish",
    ):
        super().__init__()
        self.eps, self.group_size, self.norm_before_gate, self.activation = (
            eps,
            group_size,
            norm_before_gate,
            activation,
        )
        self.weight, self.bias = torch.ones(hidden_size, device=device, dtype=dtype), None

    @staticmethod
    def forward_static(x, z, weight, epsilon, orig_dtype, group_size=None, norm_before_gate=True, activation="swish"):
        """Computes in float32; the gate multiplies what is normed, or the norm."""
        x, weight = x.float(), weight.float()
        if z is not None:
            z = z.float()
        gate = F.sigmoid if activation == "sigmoid" else F.silu
        if z is not None and not norm_before_gate:
            x = x * gate(z)
        groups = x if group_size is None else x.unflatten(-1, (-1, group_size))
        normed = groups * torch.rsqrt(groups.pow(2).mean(dim=-1, keepdim=True) + epsilon)
        out = (normed if group_size is None else normed.flatten(-2)) * weight
        if z is not None and norm_before_gate:
            out = out * gate(z)
        return out.to(orig_dtype)

    def forward_native(self, x, z=None):
        return self.forward_static(
            x, z, self.weight, self.eps, x.dtype, self.group_size, self.norm_before_gate, self.activation
        )
