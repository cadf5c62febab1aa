"""torch.fft: aten's operators with `fft_` before their names."""
from _fusescope import bridge

from ._factories import _keywords

_NAMES = frozenset(
    "fft ifft rfft irfft hfft ihfft fft2 ifft2 rfft2 irfft2 fftn ifftn rfftn irfftn hfft2 ihfft2 hfftn ihfftn fftshift ifftshift".split()
)


def fftfreq(n, d=1.0, **kwargs):
    return bridge.op("aten.fft_fftfreq.default", (n, d), _keywords(kwargs))


def rfftfreq(n, d=1.0, **kwargs):
    return bridge.op("aten.fft_rfftfreq.default", (n, d), _keywords(kwargs))


def __getattr__(name):
    if name not in _NAMES:
        raise AttributeError(f"module 'torch.fft' has no attribute '{name}'")

    def function(input, *args, **kwargs):
        args = [[a] if isinstance(a, int) and name.endswith("shift") else a for a in args]
        if isinstance(kwargs.get("dim"), int) and name.endswith("shift"):
            kwargs["dim"] = [kwargs["dim"]]
        return bridge.op(f"aten.fft_{name}.default", (input, *args), {k: v for k, v in kwargs.items() if k != "out"})

    function.__name__ = name
    function.__module__ = "torch.fft"
    return function
