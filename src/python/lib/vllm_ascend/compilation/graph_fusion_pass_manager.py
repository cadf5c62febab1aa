"""vllm_ascend.compilation.graph_fusion_pass_manager: calls the passes that apply to the compile range, in order."""

from vllm.compilation.passes.inductor_pass import get_pass_context


class GraphFusionPassManager:
    def __init__(self):
        self.passes = []

    def add(self, pass_):
        self.passes.append(pass_)

    def configure(self, config):
        """vLLM-Ascend instantiates its own passes here; Fusescope adds the user's passes instead."""

    def __call__(self, graph):
        compile_range = get_pass_context().compile_range
        for pass_ in self.passes:
            if pass_.is_applicable_for_range(compile_range):
                pass_(graph)
        return graph
