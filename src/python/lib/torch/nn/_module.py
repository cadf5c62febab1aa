"""torch.nn.Module: parameters, buffers and child modules by name, and the calls that symbolic tracing intercepts."""

import collections
import itertools

from torch._tensor import Parameter, Tensor

_TABLES = ("_parameters", "_buffers", "_modules")


class Module:
    training = True
    _is_impure = False

    def __new__(cls, *args, **kwargs):
        self = object.__new__(cls)
        own = self.__dict__
        own.update(training=True, _parameters={}, _buffers={}, _non_persistent_buffers_set=set(), _modules={})
        return self

    def __init__(self, *args, **kwargs):
        pass

    def __call__(self, *args, **kwargs):
        return self.forward(*args, **kwargs)

    _call_impl = _wrapped_call_impl = __call__

    def forward(self, *args, **kwargs):
        raise NotImplementedError(f'Module [{type(self).__name__}] is missing the required "forward" function')

    def __getattr__(self, name):
        for table in _TABLES:
            found = self.__dict__.get(table)
            if found is not None and name in found:
                return found[name]
        if (target := self.__dict__.get("_target")) is not None:
            raise AttributeError(f"the graph's text does not show {name} of module {target}")
        raise AttributeError(f"'{type(self).__name__}' object has no attribute '{name}'")

    def __setattr__(self, name, value):
        if isinstance(value, Parameter):
            self._forget(name)
            self.register_parameter(name, value)
        elif isinstance(value, Module):
            self._forget(name)
            self._modules[name] = value
        elif name in self._parameters or name in self._modules:
            table = self._parameters if name in self._parameters else self._modules
            if value is not None:
                kind = "parameter" if table is self._parameters else "child module"
                wanted = "torch.nn.Parameter" if table is self._parameters else "torch.nn.Module"
                raise TypeError(f"cannot assign '{_type(value)}' as {kind} '{name}' ({wanted} or None expected)")
            table[name] = None
        elif name in self._buffers:
            if value is not None and not isinstance(value, Tensor):
                raise TypeError(f"cannot assign '{_type(value)}' as buffer '{name}' (torch.Tensor or None expected)")
            self._buffers[name] = value
        else:
            object.__setattr__(self, name, value)

    def __delattr__(self, name):
        for table in _TABLES:
            if name in self.__dict__[table]:
                del self.__dict__[table][name]
                self._non_persistent_buffers_set.discard(name)
                return
        object.__delattr__(self, name)

    def _forget(self, name):
        self.__dict__.pop(name, None)
        for table in _TABLES:
            self.__dict__[table].pop(name, None)

    def __dir__(self):
        return sorted({*object.__dir__(self), *self._parameters, *self._buffers, *self._modules})

    def register_buffer(self, name, tensor, persistent=True):
        self._checked(name, self._buffers, "buffer")
        if tensor is not None and not isinstance(tensor, Tensor):
            raise TypeError(
                f"cannot assign '{_type(tensor)}' object to buffer '{name}' (torch Tensor or None required)"
            )
        self._buffers[name] = tensor
        (self._non_persistent_buffers_set.discard if persistent else self._non_persistent_buffers_set.add)(name)

    def register_parameter(self, name, param):
        self._checked(name, self._parameters, "parameter")
        if param is not None and not isinstance(param, Parameter):
            raise TypeError(
                f"cannot assign '{_type(param)}' object to parameter '{name}' (torch.nn.Parameter or None required)"
            )
        self._parameters[name] = param

    def add_module(self, name, module):
        if module is not None and not isinstance(module, Module):
            raise TypeError(f"{_type(module)} is not a Module subclass")
        self._checked(name, self._modules, "module")
        self._modules[name] = module

    register_module = add_module

    def _checked(self, name, table, kind):
        if not isinstance(name, str):
            raise TypeError(f"{kind} name should be a string. Got {_type(name)}")
        if hasattr(self, name) and name not in table:
            raise KeyError(f"attribute '{name}' already exists")
        if "." in name:
            raise KeyError(f'{kind} name can\'t contain ".", got: {name}')
        if name == "":
            raise KeyError(f'{kind} name can\'t be empty string ""')

    def get_submodule(self, target):
        module = self
        for item in target.split(".") if target else ():
            if not hasattr(module, item):
                raise AttributeError(f"{module._get_name()} has no attribute `{item}`")
            module = getattr(module, item)
            if not isinstance(module, Module):
                raise AttributeError(f"`{item}` is not an nn.Module")
        return module

    def set_submodule(self, target, module, strict=False):
        path, _, name = target.rpartition(".")
        setattr(self.get_submodule(path), name, module)

    def _attribute(self, target, wanted, kind):
        path, _, name = target.rpartition(".")
        module = self.get_submodule(path)
        if not hasattr(module, name):
            raise AttributeError(f"{module._get_name()} has no attribute `{name}`")
        found = getattr(module, name)
        if not wanted(module, name, found):
            raise AttributeError(f"`{name}` is not {kind}")
        return found

    def get_parameter(self, target):
        return self._attribute(target, lambda module, name, found: isinstance(found, Parameter), "an nn.Parameter")

    def get_buffer(self, target):
        return self._attribute(target, lambda module, name, found: name in module._buffers, "a buffer")

    def named_modules(self, memo=None, prefix="", remove_duplicate=True):
        memo = set() if memo is None else memo
        if self in memo:
            return
        if remove_duplicate:
            memo.add(self)
        yield prefix, self
        for name, module in self._modules.items():
            if module is not None:
                yield from module.named_modules(memo, f"{prefix}{'.' if prefix else ''}{name}", remove_duplicate)

    def modules(self):
        return (module for _, module in self.named_modules())

    def named_children(self):
        seen = set()
        for name, module in self._modules.items():
            if module is not None and module not in seen:
                seen.add(module)
                yield name, module

    def children(self):
        return (module for _, module in self.named_children())

    def _named_members(self, table, prefix, recurse, remove_duplicate):
        seen = set()
        modules = self.named_modules(prefix=prefix, remove_duplicate=remove_duplicate) if recurse else [(prefix, self)]
        for path, module in modules:
            for name, value in module.__dict__[table].items():
                if value is None or (remove_duplicate and id(value) in seen):
                    continue
                seen.add(id(value))
                yield f"{path}{'.' if path else ''}{name}", value

    def named_parameters(self, prefix="", recurse=True, remove_duplicate=True):
        return self._named_members("_parameters", prefix, recurse, remove_duplicate)

    def parameters(self, recurse=True):
        return (value for _, value in self.named_parameters(recurse=recurse))

    def named_buffers(self, prefix="", recurse=True, remove_duplicate=True):
        return self._named_members("_buffers", prefix, recurse, remove_duplicate)

    def buffers(self, recurse=True):
        return (value for _, value in self.named_buffers(recurse=recurse))

    def state_dict(self, *args, destination=None, prefix="", keep_vars=False):
        found = collections.OrderedDict() if destination is None else destination
        for path, module in self.named_modules(prefix=prefix.rstrip("."), remove_duplicate=False):
            dot = "." if path else ""
            own = itertools.chain(module._parameters.items(), module._buffers.items())
            for name, value in own:
                if value is not None and name not in module._non_persistent_buffers_set:
                    found[f"{path}{dot}{name}"] = value
        return found

    def load_state_dict(self, state_dict, strict=True, assign=False):
        raise NotImplementedError("Fusescope's modules hold fake tensors: no state can be loaded")

    def compile(self, *args, **kwargs):
        """Calls the user's backend with the shown graph, as torch.compile does here; nothing is compiled."""
        import torch

        torch.compile(self, *args, **kwargs)

    def eval(self):
        return self.train(False)

    def train(self, mode=True):
        self.training = mode
        for child in self.children():
            child.train(mode)
        return self

    def requires_grad_(self, requires_grad=True):
        for parameter in self.parameters():
            parameter.requires_grad_(requires_grad)
        return self

    def zero_grad(self, set_to_none=True):
        """Does nothing: fake tensors have no gradients."""

    def apply(self, fn):
        for child in self.children():
            child.apply(fn)
        fn(self)
        return self

    def to(self, *args, **kwargs):
        return self

    cuda = cpu = half = bfloat16 = float = double = to

    def extra_repr(self):
        return ""

    def _get_name(self):
        return type(self).__name__

    def __repr__(self):
        extra = self.extra_repr()
        lines = extra.split("\n") if extra else []
        children = [f"({name}): " + repr(module).replace("\n", "\n  ") for name, module in self._modules.items()]
        all_lines = lines + children
        if not all_lines:
            return f"{self._get_name()}()"
        if len(lines) == 1 and not children:
            return f"{self._get_name()}({lines[0]})"
        return f"{self._get_name()}(\n  " + "\n  ".join(all_lines) + "\n)"


def _type(value):
    kind = type(value)
    return kind.__qualname__ if kind.__module__ == "builtins" else f"{kind.__module__}.{kind.__qualname__}"


Module.__module__ = "torch.nn.modules.module"
