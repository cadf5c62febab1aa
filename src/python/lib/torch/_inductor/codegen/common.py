"""torch._inductor.codegen.common: base classes of code generators, which can be inherited from; no code is generated here."""

from _fusescope import partial_modules as _partial
from torch.utils._indented_buffer import DeferredLineBase, IndentedBuffer  # noqa: F401


def _of_codegen(name):
    return _partial.refused(f"{__name__}.{name}", reason="a dump has the graph before Inductor generates code")


OpOverrides, Kernel, CSE, CSEVariable, ExprPrinter, KernelArgs = map(
    _of_codegen, ("OpOverrides", "Kernel", "CSE", "CSEVariable", "ExprPrinter", "KernelArgs")
)
device_codegens = {}  # device → (scheduling, wrapper)


def register_backend_for_device(device, device_scheduling, device_wrapper_codegen, *others):
    device_codegens[device] = device_scheduling, device_wrapper_codegen


__getattr__ = _partial.of_pytorch(__name__, listed=False)
