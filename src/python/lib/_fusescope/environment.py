"""The machine and the configuration that user code believes to run on, and each question that was asked of them."""
from . import frames

# As Environment in src/workspace/types.ts; these are the values of a workspace that has none of its own.
DEFAULTS = {
    "platform": "cuda-sm90",
    "dtype": "bfloat16",
    "tokens": None,
    "customOps": ["all"],
    "functionalization": "v1",
    "flags": {},
}

_now = dict(DEFAULTS)
_asked = {}


def begin(settings):
    """A run starts: with these settings (None: the defaults), and nothing asked yet."""
    _now.clear()
    _now.update({**DEFAULTS, **(settings or {})})
    _asked.clear()


def asked():
    """[[question, answer, place or None, further places], …] in the order of the first asking."""
    return [[question, answer, first, more] for (question, answer), [first, *more] in _asked.items()]


def answer(question, value, shown=None):
    """Notes that user code asked, and what it was told; gives the value back."""
    key = (question, repr(value) if shown is None else shown)
    place = frames.user_place()
    if place not in _asked.setdefault(key, []):
        _asked[key].append(place)
    return value


def platform():
    return _now["platform"]


def vendor():
    """`cuda`, `rocm`, `cpu` or `ascend`."""
    return _now["platform"].split("-")[0]


def tokens():
    return _now["tokens"]


def functionalization():
    return _now["functionalization"]


def dtype():
    import torch

    return getattr(torch, _now["dtype"])


def flag(name, default=None):
    """A pass flag or other named setting; what the settings do not name has its default."""
    return _now["flags"].get(name, default)


def flags():
    return dict(_now["flags"])


def custom_ops():
    """As compilation_config.custom_ops has them: `all` or `none`, then `+rms_norm`, `-silu_and_mul`."""
    return list(_now["customOps"])


def op_enabled(name):
    """Whether a custom operator goes by its kernel (forward_custom) and not by plain torch (forward_native)."""
    ops = _now["customOps"]
    if f"+{name}" in ops:
        return True
    if f"-{name}" in ops:
        return False
    return "none" not in ops


_CAPABILITIES = {"cuda-sm80": (8, 0), "cuda-sm89": (8, 9), "cuda-sm90": (9, 0), "cuda-sm100": (10, 0), "rocm": (9, 4), "rocm-aiter": (9, 4)}


def capability():
    """(major, minor), or None where the platform has no such thing."""
    return _CAPABILITIES.get(_now["platform"])
