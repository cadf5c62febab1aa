"""The simulated environment (platform and configuration), and a record of each query."""

import re
from collections.abc import Callable
from typing import Any

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

_SYMBOL = re.compile(r"[su]\d+$")

_now = dict(DEFAULTS)
_asked = {}  # (question, answer): [lines, settings that the answer was made from]
_read = {}  # (setting, user's line): value, since the last answer


def begin(settings: dict | None) -> None:
    """Starts a run with these settings (None: the defaults) and an empty record."""
    _now.clear()
    _now.update({**DEFAULTS, **(settings or {})})
    _asked.clear()
    _read.clear()


def asked() -> list[list]:
    """[[query, answer, first source line or None, further lines, [setting, value or None] pairs], …] in the order of the
    first occurrence."""
    return [
        [question, answer, first, more, settings] for (question, answer), [[first, *more], settings] in _asked.items()
    ]


def answer(question: str, value: Any, shown: str | None = None) -> Any:
    """Records a query of user code with its answer, and returns the answer."""
    key = (question, repr(value) if shown is None else shown)
    place = frames.user_place()
    places, _ = _asked.setdefault(key, [[], _read_at(place)])
    if place not in places:
        places.append(place)
    _read.clear()
    return value


def _reads(setting, value):
    """Notes that an answer is made from a setting, and returns its value."""
    _read[setting, str(frames.user_place())] = value
    return value


def _read_at(place):
    """[setting, value as text or None] of the settings read for this line of user code."""
    return [[name, None if value is None else str(value)] for (name, at), value in _read.items() if at == str(place)]


def made_from(asks: Callable) -> list[list]:
    """[setting, value as text or None] of the settings that a library function reads."""
    _read.clear()
    asks()
    return _read_at(frames.user_place())


def platform() -> str:
    return _reads("platform", _now["platform"])


def vendor() -> str:
    """`cuda`, `rocm`, `cpu`, `ascend` or `xpu`."""
    return platform().split("-")[0]


def tokens() -> int | None:
    return _reads("tokens", _now["tokens"])


def torch_version() -> str:
    """`2.14`, the newest, unless the environment names an older one."""
    return _now.get("torch") or "2.14"


def functionalization() -> str:
    return _now["functionalization"]


def dtype() -> str:
    """The name of the model's dtype in torch: `bfloat16`."""
    return _reads("dtype", _now["dtype"])


def flag(name: str, default: Any = None) -> Any:
    """A pass flag or other named setting, with a default."""
    found = _now["flags"].get(name)
    _reads(f"flag {name}", found)
    return default if found is None else found


def hints() -> list[list]:
    """[symbol, value] of the symbolic sizes that the settings give a value: `s72=1024`."""
    found = [[name, value] for name, value in _now["flags"].items() if _SYMBOL.match(name) and type(value) is int]
    for name, value in found:
        # As the tracer assumes; data decides an unbacked size, which may be 0.
        least = 1 if name[0] == "s" else 0
        if value < least:
            raise ValueError(f"the environment gives {name} the value {value}, and such a size is at least {least}")
    return found


def flags() -> dict:
    return dict(_now["flags"])


def layers() -> dict | None:
    """The model's layers by name, each as the call that makes it (`Attention(32, 128)`); None if the settings name none."""
    found = _now.get("layers")
    return _reads("layers", found)


def custom_ops() -> list[str]:
    """The list of compilation_config.custom_ops: `all` or `none`, then `+rms_norm`, `-silu_and_mul`."""
    return list(_now["customOps"])


def op_enabled(name: str) -> bool:
    """True if a custom operator uses its kernel (forward_custom) instead of plain torch (forward_native)."""
    ops = _now["customOps"]
    _reads("custom_ops", ",".join(ops))
    if f"+{name}" in ops:
        return True
    if f"-{name}" in ops:
        return False
    return "none" not in ops


_CAPABILITIES = {
    "cuda-sm80": (8, 0),
    "cuda-sm89": (8, 9),
    "cuda-sm90": (9, 0),
    "cuda-sm100": (10, 0),
    "rocm": (9, 4),
    "rocm-aiter": (9, 4),
}


def capability() -> tuple | None:
    """(major, minor), or None for a platform without device capabilities."""
    return _CAPABILITIES.get(platform())
