"""torch.special: aliases of torch's operators, and operators with the prefix `special_`."""

from _fusescope import bridge

from . import _homes, overrides

_SAME = {"expit": "sigmoid", "psi": "digamma", "gammaln": "lgamma"}
_PLAIN = frozenset(
    "digamma erf erfc erfinv exp2 expm1 i0 log1p logit logsumexp log_softmax softmax round sinc xlogy".split()
)


def _round(self, *, decimals=0):
    return bridge.op("aten.round.decimals", (self,), {"decimals": decimals})


def __getattr__(name):
    if name not in _homes.C_NAMES["special"]:
        raise AttributeError(f"module 'torch.special' has no attribute '{name}'")
    target = _SAME.get(name, name if name in _PLAIN else f"special_{name}")

    def function(*args, **kwargs):
        return bridge.op(f"aten.{target}", args, kwargs)

    globals()[name] = overrides.overridable(_homes.settle(_round if name == "round" else function, __name__, name))
    return globals()[name]
