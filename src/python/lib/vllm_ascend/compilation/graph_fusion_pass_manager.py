"""vllm_ascend.compilation.graph_fusion_pass_manager: calls its passes in order, those that the compile range is for."""
from vllm.compilation.passes.inductor_pass import get_pass_context


class GraphFusionPassManager:
    def __init__(self):
        self.passes = []

    def add(self, pass_):
        self.passes.append(pass_)

    def configure(self, config):
        """vLLM-Ascend makes its own passes here; the ones to call are added instead."""

    def __call__(self, graph):
        compile_range = get_pass_context().compile_range
        for pass_ in self.passes:
            if pass_.is_applicable_for_range(compile_range):
                pass_(graph)
        return graph
