"""executorch.exir.pass_manager: passes in order, on a module or on an exported program."""

from torch.fx import GraphModule
from torch.fx.passes.infra import pass_manager
from torch.utils import _pytree as pytree

from .error import ExportError, ExportErrorType
from .pass_base import ExportedProgramPassBase, PassType  # noqa: F401


def _flat(passes):
    """The passes of a list or of lists of lists; what takes no program returns a PassResult."""
    return [
        each if isinstance(each, ExportedProgramPassBase) else pass_manager.pass_result_wrapper(each)
        for each in pytree.tree_leaves(passes or [])
    ]


class PassManager(pass_manager.PassManager):
    def __init__(self, passes=None, run_checks_after_each_pass=False, suppress_check_failures=False, steps=1):
        super().__init__(
            _flat(passes),
            run_checks_after_each_pass=run_checks_after_each_pass,
            suppress_check_failures=suppress_check_failures,
            steps=steps,
        )

    def check(self, module):
        assert isinstance(module, GraphModule)
        module.recompile()
        module.graph.lint()
        for node in module.graph.nodes:
            if node.op == "call_method":
                raise ExportError(
                    ExportErrorType.NOT_SUPPORTED,
                    f"call_method `{node}` is not supported except for backend delegate.",
                )


class ExportedProgramPassManager(PassManager):
    def __init__(
        self,
        passes=None,
        constraints=None,
        run_checks_after_each_pass=False,
        suppress_check_failures=False,
        steps=1,
    ):
        super().__init__(passes, run_checks_after_each_pass, suppress_check_failures, steps)
        self.constraints = constraints or []

    def check(self, module):
        super().check(getattr(module, "graph_module", module))
