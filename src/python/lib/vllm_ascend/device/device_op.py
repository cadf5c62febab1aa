"""vllm_ascend.device.device_op: operators that differ by chip, chosen by the environment's platform."""

import torch
from _fusescope import environment, stubs


class _DeviceOperators:
    @staticmethod
    def split_qkv_rmsnorm_rope(
        input,
        q_weight,
        k_weight,
        q_hidden_size,
        kv_hidden_size,
        head_dim,
        eps,
        q_bias,
        k_bias,
        cos_sin_cache,
        positions,
    ):
        simt = environment.answer("DeviceOperator is for A5", environment.platform() == "ascend-a5")
        fused = torch.ops.vllm.qkv_rmsnorm_rope_simt if simt else torch.ops.vllm.qkv_rmsnorm_rope
        return fused(
            input=input,
            q_weight=q_weight,
            k_weight=k_weight,
            q_hidden_size=q_hidden_size,
            kv_hidden_size=kv_hidden_size,
            head_dim=head_dim,
            eps=eps,
            q_bias=q_bias,
            k_bias=k_bias,
            cos_sin_cache=cos_sin_cache,
            positions=positions,
        )

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return stubs.missing(__name__, f"DeviceOperator.{name}")


DeviceOperator = _DeviceOperators()


def __getattr__(name):
    if name.startswith("__"):
        raise AttributeError(name)
    return stubs.missing(__name__, name)
