"""torch.fft: aten's operators with `fft_` before their names."""

from _fusescope import bridge

from . import _homes, overrides
from ._factories import _keywords


def fftfreq(n, d=1.0, **kwargs):
    return bridge.op("aten.fft_fftfreq.default", (n, d), _keywords(kwargs))


def rfftfreq(n, d=1.0, **kwargs):
    return bridge.op("aten.fft_rfftfreq.default", (n, d), _keywords(kwargs))


_homes.settle(fftfreq, __name__, "fftfreq")
_homes.settle(rfftfreq, __name__, "rfftfreq")


def __getattr__(name):
    if name not in _homes.C_NAMES["fft"]:
        raise AttributeError(f"module 'torch.fft' has no attribute '{name}'")

    def function(input, *args, **kwargs):
        args = [[a] if isinstance(a, int) and name.endswith("shift") else a for a in args]
        if isinstance(kwargs.get("dim"), int) and name.endswith("shift"):
            kwargs["dim"] = [kwargs["dim"]]
        given = {k: v for k, v in kwargs.items() if k != "out" or v is not None}
        return bridge.op(f"aten.fft_{name}", (input, *args), given)

    globals()[name] = overrides.overridable(_homes.settle(function, __name__, name))
    return globals()[name]
