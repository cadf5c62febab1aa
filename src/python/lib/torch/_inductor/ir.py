"""torch._inductor.ir: the nodes of Inductor's lowering, after the passes on a graph. No value of a pass is one, so isinstance is False."""

from _fusescope import partial_modules as _partial


def _of_lowering(name, *bases):
    return _partial.refused(f"{__name__}.{name}", bases, "a dump has the graph before Inductor's lowering")


IRNode = _of_lowering("IRNode")
Layout, OutputSpec = _of_lowering("Layout"), _of_lowering("OutputSpec")
FixedLayout, FlexibleLayout = _of_lowering("FixedLayout", Layout), _of_lowering("FlexibleLayout", Layout)
MutableBox = _of_lowering("MutableBox", IRNode)
TensorBox, StorageBox = _of_lowering("TensorBox", MutableBox), _of_lowering("StorageBox", MutableBox)
BaseView, Buffer, Operation, Loops = (_of_lowering(n, IRNode) for n in ("BaseView", "Buffer", "Operation", "Loops"))
ReinterpretView = _of_lowering("ReinterpretView", BaseView)
Pointwise, Reduction = _of_lowering("Pointwise", Loops), _of_lowering("Reduction", Loops)
ComputedBuffer, InputBuffer = _of_lowering("ComputedBuffer", Buffer), _of_lowering("InputBuffer", Buffer)
ExternKernel = _of_lowering("ExternKernel", Buffer)
FallbackKernel = _of_lowering("FallbackKernel", ExternKernel)

__getattr__ = _partial.of_pytorch(__name__, listed=False)
