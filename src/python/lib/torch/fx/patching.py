"""What symbolic tracing replaces while it runs: the calls of modules, and functions that are recorded as a whole."""

import builtins
import contextlib
import functools

import torch
from torch.utils import _pytree as pytree

from .proxy import Proxy

wrapped = {}  # (id of a module's globals, name) → the globals: functions that torch.fx.wrap names


def find_proxy(*values):
    found = [
        leaf
        for leaf in pytree.tree_leaves([list(v) if isinstance(v, tuple) else v for v in values])
        if isinstance(leaf, Proxy)
    ]
    return found[-1] if found else None


class _Patcher:
    def __init__(self):
        self._undo, self._seen = [], set()

    def replace(self, scope, name, made):
        if name not in scope and hasattr(builtins, name):
            self._undo.append(functools.partial(scope.pop, name))
        elif getattr(scope[name], "_fx_patched", False):
            return
        else:
            self._undo.append(functools.partial(scope.__setitem__, name, scope[name]))
        made._fx_patched = True
        scope[name] = made

    def method(self, cls, name, made):
        self._undo.append(functools.partial(setattr, cls, name, getattr(cls, name)))
        setattr(cls, name, made)

    def autowrap(self, scope, ids):
        if id(scope) in self._seen:
            return
        self._seen.add(id(scope))
        for name, value in list(scope.items()):
            if not name.startswith("_") and callable(value) and id(value) in ids:
                self.replace(scope, name, _recording(value))

    def undo(self):
        while self._undo:
            self._undo.pop()()


def _recording(function):
    @functools.wraps(function)
    def recorded(*args, **kwargs):
        found = find_proxy(args, kwargs)
        if found is None:
            return function(*args, **kwargs)
        made = found.tracer.create_proxy("call_function", function, args, kwargs)
        made.node.meta["is_wrapped"] = True
        return made

    return recorded


@contextlib.contextmanager
def patched(tracer, scope):
    """Replaces what `tracer` intercepts, for a function with these globals."""
    module = torch.nn.Module
    plain_getattr, plain_call, proxies, patcher = module.__getattr__, module.__call__, {}, _Patcher()

    def get(mod, attr):
        return tracer.getattr(attr, plain_getattr(mod, attr), proxies)

    def call(mod, *args, **kwargs):
        def forward(*args, **kwargs):
            return plain_call(mod, *args, **kwargs)

        patcher.autowrap(getattr(getattr(mod, "forward", mod), "__globals__", {}), tracer._autowrap_function_ids)
        return tracer.call_module(mod, forward, args, kwargs)

    try:
        patcher.method(module, "__getattr__", get)
        patcher.method(module, "__call__", call)
        for (_, name), owner in list(wrapped.items()):
            patcher.replace(owner, name, _recording(owner[name] if name in owner else getattr(builtins, name)))
        patcher.autowrap(scope, tracer._autowrap_function_ids)
        for each in tracer._autowrap_search:
            patcher.autowrap(vars(each), tracer._autowrap_function_ids)
        yield
    finally:
        patcher.undo()
