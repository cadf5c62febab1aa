"""A pass that applies from a number of tokens on, which the configuration should lower."""
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


class SequenceParallelismPass(VllmInductorPass):
    MIN_TOKENS = 1000

    def __init__(self, config):
        super().__init__(config)
        self.patterns = PatternMatcherPass(pass_name="sequence_parallelism")
        register_replacement(search, replace, [torch.empty(4, 16), torch.empty(16)], fwd_only, self.patterns)

    def is_applicable_for_range(self, compile_range):
        return compile_range.start >= self.MIN_TOKENS

    def __call__(self, graph):
        self.patterns.apply(graph)


sequence_parallelism = SequenceParallelismPass(VllmConfig())
