from _fusescope import partial_modules as _partial
import hashlib
import inspect

from .pattern_matcher import PatternMatcherPass


class CustomGraphPass:
    made = set()  # classes instantiated in this run

    def __new__(cls, *args, **kwargs):
        CustomGraphPass.made.update(cls.__mro__)
        made = super().__new__(cls)
        made._made_after = PatternMatcherPass.made
        return made

    def __call__(self, graph):
        raise NotImplementedError

    def uuid(self):
        return None


CustomInferenceAwareGraphPass = CustomGraphPass


class CustomPartitionerFn:
    """Base class of a partitioner of the joint graph. No joint graph is partitioned here: it is never called."""

    def __call__(self, gm, joint_inputs, **kwargs):
        raise NotImplementedError

    def uuid(self):
        return None


class CustomGraphModulePass:
    """A pass of a device's backend, which takes a GraphModule."""

    def __call__(self, gm):
        raise NotImplementedError

    def uuid(self):
        return None


CustomSchedulerPass = CustomRuntimeEstimator = CustomKnapsackSolver = CustomPartitionerFn
CustomGraphPassType = CustomPartitionerFnType = object


def get_custom_graph_passes(custom_pass):
    """The passes of a hook of torch._inductor.config, which holds None, one, or several."""
    if custom_pass is None:
        return ()
    return tuple(custom_pass) if isinstance(custom_pass, (list, tuple)) else (custom_pass,)


def get_hash_for_files(paths, extra=""):
    return hashlib.sha256(extra.encode()).digest()


def _source(obj):
    return inspect.getsource(obj)


__getattr__ = _partial.of_pytorch(__name__)
