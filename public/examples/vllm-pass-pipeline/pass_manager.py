"""The passes that act on a graph after AOTAutograd, in their order: each by the configuration, and for its range."""

import torch
from rms_norm_quant_fusion import RMSNormQuantFusionPass
from silu_mul_quant_fusion import SiluMulQuantFusionPass
from torch._inductor.custom_graph_pass import CustomGraphPass
from vllm.compilation.passes.inductor_pass import InductorPass, get_pass_context
from vllm.compilation.passes.utility.noop_elimination import NoOpEliminationPass
from vllm.config import VllmConfig, set_current_vllm_config


class PassManager(CustomGraphPass):
    def __init__(self, config: VllmConfig) -> None:
        # Views that change nothing stand between what the patterns want side by side: they go first.
        self.passes: list[InductorPass] = [
            NoOpEliminationPass(config),
            RMSNormQuantFusionPass(config),
            SiluMulQuantFusionPass(config),
        ]

    def __call__(self, graph: torch.fx.Graph) -> None:
        compile_range = get_pass_context().compile_range
        for pass_ in self.passes:
            if pass_.is_applicable_for_range(compile_range):
                pass_(graph)

    def uuid(self) -> str:
        return InductorPass.hash_dict({type(pass_).__name__: pass_.uuid() for pass_ in self.passes})


config = VllmConfig()
with set_current_vllm_config(config):
    manager = PassManager(config)
torch._inductor.config.post_grad_custom_post_pass = manager
