"""torch.overrides: calls of torch's functions on objects that stand for tensors, such as the proxies of symbolic tracing."""

import functools
import importlib
import inspect

from _fusescope import partial_modules as _partial

from .forms import FORMS

tensor_class = ()  # torch.Tensor, whose module imports this one
_modes = []  # of TorchFunctionMode, that are entered, the innermost last
active = False  # whether such an object may exist in this run: calls before it need no search

# Functions that look into their arguments and record nothing.
_PLAIN = frozenset("is_tensor is_storage broadcast_shapes can_cast".split())


def _stands_for_tensor(value):
    return hasattr(type(value), "__torch_function__") and not isinstance(value, tensor_class)


def find(args, kwargs):
    """The innermost mode; without one, the first object among the arguments, or in a list among them, whose class handles torch's
    functions; None without one."""
    if _modes:
        return _modes[-1]
    for value in (*args, *kwargs.values()):
        if _stands_for_tensor(value):
            return value
        if isinstance(value, (list, tuple)):
            for item in value:
                if _stands_for_tensor(item):
                    return item
    return None


def handled(function, args, kwargs, found):
    if isinstance(found, TorchFunctionMode):
        return _by_mode(function, args, kwargs)
    return type(found).__torch_function__(function, (type(found),), args, kwargs)


_OF_PYTHON = ("torch.nn.functional", "torch.functional")


@functools.cache
def overridable(function):
    """The function with a check for such objects before it: one object, whatever its names."""
    if function.__name__ in _PLAIN:
        return function
    form = FORMS.get(function.__name__) if function.__module__ in _OF_PYTHON else None
    signature = inspect.signature(function) if form else None

    @functools.wraps(function)
    def wrapper(*args, **kwargs):
        if active and (found := find(args, kwargs)) is not None:
            return handled(wrapper, *(_recorded(signature, form, args, kwargs) if form else (args, kwargs)), found)
        return function(*args, **kwargs)

    return wrapper


def _recorded(signature, form, args, kwargs):
    bound = signature.bind(*args, **kwargs)
    bound.apply_defaults()
    given = bound.arguments
    return tuple(given[name] for name in form[0]), {name: given.get(name) for name in form[1]}


def install(module):
    """Makes the public functions in a module's globals overridable."""
    for name, value in list(module.items()):
        if inspect.isfunction(value) and not name.startswith("_"):
            module[name] = overridable(value)


def has_torch_function(relevant_args):
    return any(map(_stands_for_tensor, relevant_args))


def has_torch_function_unary(value):
    return _stands_for_tensor(value)


def has_torch_function_variadic(*values):
    return any(map(_stands_for_tensor, values))


def handle_torch_function(public_api, relevant_args, /, *args, **kwargs):
    found = next(value for value in relevant_args if _stands_for_tensor(value))
    return handled(public_api, args, kwargs, found)


def is_tensor_method_or_property(func):
    return getattr(func, "__qualname__", "").startswith("Tensor.")


def is_tensor_like(value):
    return isinstance(value, tensor_class) or _stands_for_tensor(value)


def get_ignored_functions():
    return set()


class TorchFunctionMode:
    """While it is entered, it receives the calls of torch's functions, of methods of tensors, and of operators."""

    def __torch_function__(self, func, types, args=(), kwargs=None):
        raise NotImplementedError

    def __enter__(self):
        global active
        importlib.import_module("torch._tensor.heard")  # methods of tensors ask for the mode from now on
        active = True
        _modes.append(self)
        return self

    def __exit__(self, *exc):
        _modes.pop()

    @classmethod
    def push(cls, *args, **kwargs):
        return cls(*args, **kwargs)


class BaseTorchFunctionMode(TorchFunctionMode):
    def __torch_function__(self, func, types, args=(), kwargs=None):
        return func(*args, **(kwargs or {}))


def _by_mode(function, args, kwargs):
    """The mode is left while it handles a call: the next one outside receives what it calls."""
    mode = _modes.pop()
    try:
        types = tuple(dict.fromkeys(type(v) for v in (*args, *kwargs.values()) if _stands_for_tensor(v)))
        return mode.__torch_function__(function, types, args, kwargs)
    finally:
        _modes.append(mode)


def _get_current_function_mode():
    return _modes[-1] if _modes else None


def _get_current_function_mode_stack():
    return list(_modes)


__getattr__ = _partial.of_pytorch(__name__)
