"""torch.amp.autocast_mode. The engine casts the arguments of the operators that it lists (src/trace/autocast.ts)."""

import functools

from _fusescope import engine, partial_modules as _partial
from torch._types import _DTYPES

bfloat16, float16 = _DTYPES["bfloat16"], _DTYPES["float16"]
_enabled = {"cpu": False, "cuda": False}
_dtypes = {"cpu": bfloat16, "cuda": float16}


def _set(device, enabled, dtype):
    _enabled[device], _dtypes[device] = enabled, dtype
    engine.autocast(device, dtype._name if enabled else None)


def _known(device):
    if device not in _enabled:
        raise NotImplementedError(f"Fusescope's torch.autocast knows cpu and cuda, not {device!r}")
    return device


def is_autocast_available(device_type):
    return device_type in ("cpu", "cuda", "xpu", "mps", "mtia", "hpu", "xla", "privateuseone")


def is_autocast_enabled(device_type="cuda"):
    return _enabled.get(device_type, False)


def get_autocast_dtype(device_type):
    return _dtypes[_known(device_type)]


def set_autocast_enabled(*args):
    device, enabled = args if len(args) == 2 else ("cuda", *args)
    _set(_known(device), enabled, _dtypes[device])


def set_autocast_dtype(device_type, dtype):
    _set(_known(device_type), _enabled[device_type], dtype)


class autocast:
    def __init__(self, device_type, dtype=None, enabled=True, cache_enabled=None):
        if not isinstance(device_type, str):
            raise ValueError(f"Expected `device_type` of type `str`, got: `{type(device_type)}`")
        if not is_autocast_available(device_type):
            raise RuntimeError(f"User specified an unsupported autocast device_type '{device_type}'")
        self.device = _known(device_type)
        self.fast_dtype = _dtypes[device_type] if dtype is None else dtype
        self._enabled = enabled and self.fast_dtype in (bfloat16, float16)
        self._before = []

    def __enter__(self):
        self._before.append((_enabled[self.device], _dtypes[self.device]))
        _set(self.device, self._enabled, self.fast_dtype)
        return self

    def __exit__(self, *exc):
        _set(self.device, *self._before.pop())
        return False

    def __call__(self, fn):
        @functools.wraps(fn)
        def wrapper(*args, **kwargs):
            with self:
                return fn(*args, **kwargs)

        return wrapper


def custom_fwd(fwd=None, *, device_type, cast_inputs=None):
    if fwd is None:
        return functools.partial(custom_fwd, device_type=device_type, cast_inputs=cast_inputs)
    if cast_inputs is not None:
        raise NotImplementedError("Fusescope's torch.amp.custom_fwd does not support cast_inputs")
    return fwd


def custom_bwd(bwd=None, *, device_type):
    return functools.partial(custom_bwd, device_type=device_type) if bwd is None else bwd


__getattr__ = _partial.of_pytorch(__name__, listed=False)
