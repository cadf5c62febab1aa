"""torch.special: aliases of torch's operators, and operators with the prefix `special_`."""
from _fusescope import bridge

_SAME = {"expit": "sigmoid", "psi": "digamma", "gammaln": "lgamma"}
_PLAIN = frozenset("digamma erf erfc erfinv exp2 expm1 i0 log1p logit logsumexp log_softmax softmax round sinc xlogy".split())


def __getattr__(name):
    if name.startswith("_"):
        raise AttributeError(name)
    if name == "round":
        return lambda self, *, decimals=0: bridge.op("aten.round.decimals", (self,), {"decimals": decimals})
    target = _SAME.get(name, name if name in _PLAIN else f"special_{name}")
    return lambda *args, **kwargs: bridge.op(f"aten.{target}", args, kwargs)
