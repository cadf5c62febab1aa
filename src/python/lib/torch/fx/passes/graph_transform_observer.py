"""torch.fx.passes.graph_transform_observer: runs a pass. Fusescope records what each pass does without it."""

from _fusescope import partial_modules as _partial


class GraphTransformObserver:
    def __init__(self, gm, passname, subsystem=None, log_url=None):
        self.gm, self.passname, self.subsystem, self.log_url, self.active = gm, passname, subsystem, log_url, False

    def __enter__(self):
        return self

    def __exit__(self, *exc):
        return False

    def apply_gm_pass(self, pass_fn):
        return pass_fn(self.gm)

    def apply_graph_pass(self, pass_fn):
        return pass_fn(self.gm.graph)


__getattr__ = _partial.of_pytorch(__name__)
