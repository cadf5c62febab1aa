"""Modules that hold modules: Sequential, ModuleList, ModuleDict, ParameterList."""

import collections

from ._module import Module, Parameter


class Sequential(Module):
    def __init__(self, *modules):
        if len(modules) == 1 and isinstance(modules[0], dict):
            for name, module in modules[0].items():
                self.add_module(name, module)
        else:
            for i, module in enumerate(modules):
                self.add_module(str(i), module)

    def __getitem__(self, i):
        items = list(self._modules.values())
        return type(self)(collections.OrderedDict(list(self._modules.items())[i])) if isinstance(i, slice) else items[i]

    def __len__(self):
        return len(self._modules)

    def __iter__(self):
        return iter(self._modules.values())

    def append(self, module):
        self.add_module(str(len(self)), module)
        return self

    def forward(self, input):
        for module in self:
            input = module(input)
        return input


class ModuleList(Module):
    def __init__(self, modules=None):
        self.extend(modules or ())

    def __repr__(self):
        runs = []  # [first index, count, text] of equal neighbors
        for i, module in enumerate(self):
            text = repr(module)
            if runs and runs[-1][2] == text:
                runs[-1][1] += 1
            else:
                runs.append([i, 1, text])
        if not runs:
            return f"{self._get_name()}()"
        lines = [
            f"({i}): {text}" if count == 1 else f"({i}-{i + count - 1}): {count} x {text}" for i, count, text in runs
        ]
        return f"{self._get_name()}(\n  " + "\n".join(lines).replace("\n", "\n  ") + "\n)"

    def __getitem__(self, i):
        items = list(self._modules.values())
        return type(self)(items[i]) if isinstance(i, slice) else items[i]

    def __setitem__(self, i, module):
        self._modules[str(i if i >= 0 else i + len(self))] = module

    def __len__(self):
        return len(self._modules)

    def __iter__(self):
        return iter(self._modules.values())

    def __contains__(self, module):
        return module in self._modules.values()

    def append(self, module):
        self.add_module(str(len(self)), module)
        return self

    def extend(self, modules):
        for module in modules:
            self.append(module)
        return self

    def insert(self, index, module):
        items = list(self._modules.values())
        items.insert(index, module)
        self._modules.clear()
        self.extend(items)


class ModuleDict(Module):
    def __init__(self, modules=None):
        self.update(modules or {})

    def __getitem__(self, key):
        return self._modules[key]

    def __setitem__(self, key, module):
        self.add_module(key, module)

    def __delitem__(self, key):
        del self._modules[key]

    def __len__(self):
        return len(self._modules)

    def __iter__(self):
        return iter(self._modules)

    def __contains__(self, key):
        return key in self._modules

    def keys(self):
        return self._modules.keys()

    def items(self):
        return self._modules.items()

    def values(self):
        return self._modules.values()

    def update(self, modules):
        for name, module in modules.items() if hasattr(modules, "items") else modules:
            self[name] = module


class ParameterList(Module):
    def __init__(self, values=None):
        for i, value in enumerate(values or ()):
            setattr(self, str(i), value if isinstance(value, Parameter) else Parameter(value))

    def __getitem__(self, i):
        return getattr(self, str(i if i >= 0 else i + len(self)))

    def __len__(self):
        return len(self._parameters)

    def __iter__(self):
        return iter(self._parameters.values())
