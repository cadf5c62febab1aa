"""The simulated environment (platform and configuration), and a record of each query."""
from . import frames

# The fields of Environment in src/workspace/types.ts, with the values for a workspace without an environment.
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
    """Starts a run with these settings (None: the defaults) and an empty record."""
    _now.clear()
    _now.update({**DEFAULTS, **(settings or {})})
    _asked.clear()


def asked():
    """[[query, answer, first source line or None, further lines], …] in the order of the first occurrence."""
    return [[question, answer, first, more] for (question, answer), [first, *more] in _asked.items()]


def answer(question, value, shown=None):
    """Records a query of user code with its answer, and returns the answer."""
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
    """A pass flag or other named setting, with a default."""
    return _now["flags"].get(name, default)


def flags():
    return dict(_now["flags"])


def custom_ops():
    """The list of compilation_config.custom_ops: `all` or `none`, then `+rms_norm`, `-silu_and_mul`."""
    return list(_now["customOps"])


def op_enabled(name):
    """True if a custom operator uses its kernel (forward_custom) instead of plain torch (forward_native)."""
    ops = _now["customOps"]
    if f"+{name}" in ops:
        return True
    if f"-{name}" in ops:
        return False
    return "none" not in ops


_CAPABILITIES = {"cuda-sm80": (8, 0), "cuda-sm89": (8, 9), "cuda-sm90": (9, 0), "cuda-sm100": (10, 0), "rocm": (9, 4), "rocm-aiter": (9, 4)}


def capability():
    """(major, minor), or None for a platform without device capabilities."""
    return _CAPABILITIES.get(_now["platform"])
