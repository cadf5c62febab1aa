"""One fusion for two compilers: a pass that applies from a number of tokens on, and a pattern that always does."""
import torch
from torch._inductor.pattern_matcher import PatternMatcherPass, fwd_only, register_replacement
from vllm.compilation.passes.vllm_inductor_pass import VllmInductorPass
from vllm.config import VllmConfig

lib = torch.library.Library("comm", "FRAGMENT")
lib.define("all_reduce(Tensor x, str group) -> Tensor")
lib.impl("all_reduce", lambda x, group: x * 2, "CompositeExplicitAutograd")


def search(x, weight):
    return torch.ops.comm.all_reduce(x, "tp:0") * weight


def replace(x, weight):
    return torch.ops.comm.all_reduce(x * weight, "tp:0")


def registered(name):
    patterns = PatternMatcherPass(pass_name=name)
    register_replacement(search, replace, [torch.empty(4, 16), torch.empty(16)], fwd_only, patterns)
    return patterns


class AllReduceNormPass(VllmInductorPass):
    def __init__(self, config):
        super().__init__(config)
        self.patterns = registered("all_reduce_norm")

    def is_applicable_for_range(self, compile_range):
        return compile_range.start > 512

    def __call__(self, graph):
        self.patterns.apply(graph)


all_reduce_norm = AllReduceNormPass(VllmConfig())
for_other_compiler = registered("other_compiler")
