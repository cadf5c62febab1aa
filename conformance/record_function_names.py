"""
Records on a real PyTorch the name under which graphs show each function of torch, torch.nn.functional, torch.linalg,
torch.special, torch.fft and their C modules, and which of them are one object.
  python3 conformance/record_function_names.py > conformance/function_names.json
"""
import importlib
import json
import sys
import types

import torch
from torch.fx.node import _get_qualified_name

MODULES = [
    "torch", "torch.functional", "torch.nn.functional", "torch.linalg", "torch.special", "torch.fft", "torch._C._nn",
    "torch._C._linalg", "torch._C._special", "torch._C._fft",
]
HOMES = ("torch.", "builtins.", "operator.")


def functions(module):
    for name in sorted(dir(module)):
        f = getattr(module, name)
        plain = callable(f) and not isinstance(f, (type, types.ModuleType)) and not name.startswith("_")
        if plain and type(f).__name__ in ("function", "builtin_function_or_method"):
            yield name, f


found = {}
for path in MODULES:
    module = importlib.import_module(path) if "_C" not in path else getattr(torch._C, path.rpartition(".")[2])
    for name, f in functions(module):
        home = _get_qualified_name(f)
        if home.rpartition(".")[0] in MODULES:
            found[f"{path}.{name}"] = home
by_object = {}
for path, home in found.items():
    by_object.setdefault(id(eval(path)), set()).add(home)
assert all(len(homes) == 1 for homes in by_object.values()), "one object, two names"
json.dump(found, sys.stdout, indent=0)
