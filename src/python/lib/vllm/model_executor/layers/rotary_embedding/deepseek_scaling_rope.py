"""vllm.model_executor.layers.rotary_embedding.deepseek_scaling_rope: named, so that files which offer it load."""
from vllm.model_executor.custom_op import CustomOp


@CustomOp.register("deepseek_scaling_rotary_embedding")
class DeepseekScalingRotaryEmbedding(CustomOp):
    @staticmethod
    def forward_static(*args, **kwargs):
        raise NotImplementedError("Fusescope cannot trace DeepseekScalingRotaryEmbedding.forward_static")
