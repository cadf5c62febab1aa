"""vllm._aiter_ops: AMD's aiter operators, if the platform is ROCm with aiter."""
import torch
from _fusescope import environment
from vllm.utils.torch_utils import direct_register_custom_op


def _codes(x):
    from vllm.platforms import current_platform

    return torch.empty(x.shape, dtype=current_platform.fp8_dtype(), device=x.device)


def _scales(x, group=None):
    return torch.empty((x.shape[0], 1 if group is None else x.shape[-1] // group), dtype=torch.float32, device=x.device)


T = torch.Tensor
Pair, Three = tuple[T, T], tuple[T, T, T]


def rocm_aiter_rms_norm(x: T, weight: T, variance_epsilon: float) -> T:
    return torch.empty_like(x)


def rocm_aiter_rmsnorm2d_fwd_with_add(x: T, residual: T, weight: T, variance_epsilon: float) -> Pair:
    return torch.empty_like(x), torch.empty_like(residual)


def rocm_aiter_rmsnorm_fused_dynamic_quant(x: T, weight: T, epsilon: float, quant_dtype: torch.dtype) -> Pair:
    return _codes(x), _scales(x)


def rocm_aiter_rmsnorm_fused_add_dynamic_quant(
    x: T, residual: T, weight: T, epsilon: float, quant_dtype: torch.dtype
) -> Three:
    return _codes(x), torch.empty_like(residual), _scales(x)


def rocm_aiter_rmsnorm_fp8_group_quant(x: T, weight: T, variance_epsilon: float, group_size: int) -> Pair:
    return _codes(x), _scales(x, group_size)


def rocm_aiter_rmsnorm_with_add_fp8_group_quant(
    x: T, residual: T, weight: T, variance_epsilon: float, group_size: int
) -> Three:
    return _codes(x), torch.empty_like(residual), _scales(x, group_size)


def rocm_aiter_per_token_quant(x: T, quant_dtype: torch.dtype, scale: T | None = None) -> Pair:
    return _codes(x), _scales(x)


def rocm_aiter_group_fp8_quant(x: T, group_size: int = 128) -> Pair:
    return _codes(x), _scales(x, group_size)


def rocm_aiter_act_mul_and_fp8_group_quant(x: T, group_size: int) -> Pair:
    half = x[..., : x.shape[-1] // 2]
    return _codes(half), _scales(half, group_size)


# Results of rocm_aiter_ops.get_…_op(), by the middle of the method's name.
_GETTERS = {
    "rmsnorm": rocm_aiter_rms_norm,
    "rmsnorm_fused_add": rocm_aiter_rmsnorm2d_fwd_with_add,
    "rmsnorm_fused_dynamic_quant": rocm_aiter_rmsnorm_fused_dynamic_quant,
    "rmsnorm_fused_add_dynamic_quant": rocm_aiter_rmsnorm_fused_add_dynamic_quant,
    "rmsnorm_group_fused_quant": rocm_aiter_rmsnorm_fp8_group_quant,
    "rmsnorm_group_add_fused_quant": rocm_aiter_rmsnorm_with_add_fp8_group_quant,
    "per_token_quant": rocm_aiter_per_token_quant,
    "group_quant": rocm_aiter_group_fp8_quant,
    "act_mul_fused_fp8_group_quant": rocm_aiter_act_mul_and_fp8_group_quant,
}


class _AiterOps:
    """`is_…enabled()` follows the platform, which is not RDNA; `get_…_op()` returns an operator of torch.ops.vllm."""

    def __getattr__(self, name):
        if name.startswith(("is_", "are_")):
            there = environment.platform() == "rocm-aiter" and "rdna" not in name
            return lambda *args: environment.answer(f"rocm_aiter_ops.{name}()", there)
        if name.startswith("get_") and name.endswith("_op"):
            return lambda: self._op(name[4:-3])
        raise AttributeError(name)

    def _op(self, name):
        fn = _GETTERS.get(name)
        op = fn.__name__ if fn else f"rocm_aiter_{name}"
        if not environment.answer(f"hasattr(torch.ops.vllm, {op!r})", environment.platform() == "rocm-aiter"):
            raise AttributeError(f"'_OpNamespace' 'vllm' object has no attribute '{op}': this platform is not ROCm with aiter")
        return getattr(torch.ops.vllm, op).default

    def register_ops_once(self):
        """Does nothing: the operators are always registered."""


rocm_aiter_ops = _AiterOps()

if environment.platform() == "rocm-aiter":
    for _fn in _GETTERS.values():
        direct_register_custom_op(_fn.__name__, _fn, fake_impl=_fn)
