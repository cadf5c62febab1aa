"""Public names of the modules that patterns use, with signatures, for completion."""

import importlib
import inspect
import re

MODULES = (
    "torch",
    "torch.nn",
    "torch.nn.functional",
    "torch.fx",
    "torch.library",
    "torch.linalg",
    "torch.special",
    "torch.fft",
    "torch._inductor",
    "torch._inductor.pattern_matcher",
    "torch._higher_order_ops.auto_functionalize",
)
# Modules whose functions are our own Python: their signatures are PyTorch's.
_SIGNED = ("torch._inductor.pattern_matcher", "torch.library", "torch.nn.functional")
# A default that is a function or an object prints its address.
_OBJECT = re.compile(r"<(?:function |class ')?([\w.]+)(?:'| at 0x[0-9a-f]+| object at 0x[0-9a-f]+)>")


def modules() -> dict:
    """{module: [[name, signature]]}; `Tensor` for the methods of a tensor."""
    from torch import _names
    from torch._tensor import Tensor

    found = {}
    for path in MODULES:
        try:
            module = importlib.import_module(path)
        except ImportError:
            continue
        names = set(dir(module)) | (set(_names.FUNCTIONS) if path == "torch" else set())
        found[path] = [[n, _signature(module, n) if path in _SIGNED else ""] for n in sorted(names) if _is_public(n)]
    found["Tensor"] = [[n, ""] for n in sorted({*_names.METHODS, *dir(Tensor)}) if _is_public(n)]
    return found


def _is_public(name):
    return isinstance(name, str) and not name.startswith("_")


def _signature(module, name):
    try:
        return _OBJECT.sub(r"\1", str(inspect.signature(vars(module)[name])))
    except BaseException:  # not a function, or a user's object
        return ""
