"""sglang.srt.compilation.pass_manager: the passes after Inductor's own, in order."""

from torch._inductor.custom_graph_pass import CustomGraphPass

from .fix_functionalization import FixFunctionalizationPass
from .inductor_pass import InductorPass, SGLangInductorPass, get_pass_context  # noqa: F401


class PostGradPassManager(CustomGraphPass):
    """The added passes that apply to the token count, then defunctionalization."""

    def __init__(self):
        self.passes = []

    def __call__(self, graph):
        shape = get_pass_context().runtime_shape
        for pass_ in self.passes:
            if pass_.is_applicable_for_shape(shape):
                pass_(graph)
        self.fix_functionalization(graph)

    def configure(self):
        self.pass_config = {}
        self.fix_functionalization = FixFunctionalizationPass()

    def add(self, pass_):
        assert isinstance(pass_, InductorPass)
        self.passes.append(pass_)

    def uuid(self):
        passes = [p.uuid() for p in (*self.passes, self.fix_functionalization)]
        return InductorPass.hash_dict({"pass_config": self.pass_config, "passes": passes})
