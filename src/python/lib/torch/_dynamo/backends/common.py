"""torch._dynamo.backends.common: backends that compile what AOTAutograd makes of Dynamo's graph."""

from _fusescope import partial_modules as _partial


class AotAutograd:
    def __init__(self, **kwargs):
        self.kwargs = kwargs

    def __call__(self, gm, example_inputs, **kwargs):
        """The shown graph is passed to the forward compiler as it is: nothing is traced again here."""
        compiler = self.kwargs.get("inference_compiler") or self.kwargs.get("fw_compiler")
        return gm if compiler is None else compiler(gm, example_inputs)


def aot_autograd(**kwargs):
    return AotAutograd(**kwargs)


__getattr__ = _partial.of_pytorch(__name__)
