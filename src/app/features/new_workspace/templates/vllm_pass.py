"""A pass as vLLM writes it: a class that registers its patterns and applies them to the graph."""
import torch
from torch._inductor.pattern_matcher import PatternMatcherPass, fwd_only, register_replacement
from vllm.compilation.inductor_pass import enable_fake_mode
from vllm.compilation.vllm_inductor_pass import VllmInductorPass, VllmPatternMatcherPass
from vllm.config import VllmConfig, get_current_vllm_config

torch.library.define("mylib::scaled_relu", "(Tensor x, Tensor w) -> Tensor")


@torch.library.register_fake("mylib::scaled_relu")
def scaled_relu(x, w):
    return torch.empty_like(x)


def search(x, w):
    return torch.relu(x * w)


def replace(x, w):
    return torch.ops.mylib.scaled_relu.default(x, w)


class ScaledReluPass(VllmPatternMatcherPass):
    @enable_fake_mode
    def __init__(self, config: VllmConfig):
        super().__init__(config)
        self.patterns = PatternMatcherPass(pass_name="scaled_relu_pass")
        register_replacement(search, replace, [torch.empty(4, 8), torch.empty(8)], fwd_only, self.patterns)

    @VllmInductorPass.time_and_log
    def __call__(self, graph: torch.fx.Graph) -> None:
        self.matched_count = self.patterns.apply(graph)


scaled_relu_pass = ScaledReluPass(get_current_vllm_config())
