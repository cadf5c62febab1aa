"""vllm.model_executor.custom_op: operators that use a kernel or plain torch, depending on custom_ops."""

import torch
from vllm.config import get_current_vllm_config


class CustomOp(torch.nn.Module):
    """An operator with two forms. Patterns and layers call `enabled()`, which the environment's custom ops decide."""

    op_registry = {}

    @classmethod
    def register(cls, name, **kwargs):
        def named(op):
            op.name = name
            cls.op_registry[name] = op
            return op

        return named

    @classmethod
    def enabled(cls):
        return get_current_vllm_config().compilation_config.is_custom_op_enabled(cls.name)

    @staticmethod
    def default_on():
        return "none" not in get_current_vllm_config().compilation_config.custom_ops

    def forward(self, *args, **kwargs):
        return (self.forward_cuda if self.enabled() else self.forward_native)(*args, **kwargs)

    def forward_cuda(self, *args, **kwargs):
        raise NotImplementedError(f"{type(self).__name__} has no kernel here")
