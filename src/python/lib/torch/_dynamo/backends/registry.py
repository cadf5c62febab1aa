"""torch._dynamo.backends.registry: the functions that torch.compile(backend=NAME) calls with a graph."""

import functools

from _fusescope import partial_modules as _partial

_BACKENDS = {}  # name → function
_given = []  # functions that torch.compile(backend=…) received


def register_backend(compiler_fn=None, name=None, tags=()):
    """A decorator, with or without arguments."""
    if compiler_fn is None:
        return functools.partial(register_backend, name=name, tags=tags)
    if not callable(compiler_fn):
        raise AssertionError(f"compiler_fn must be callable, got {type(compiler_fn)}")
    name = name or compiler_fn.__name__
    if name in _BACKENDS:
        raise AssertionError(f"duplicate name: {name}")
    _BACKENDS[name] = compiler_fn
    return compiler_fn


register_debug_backend = functools.partial(register_backend, tags=("debug",))
register_experimental_backend = functools.partial(register_backend, tags=("experimental",))


def lookup_backend(compiler_fn):
    """The function of a name. PyTorch's own backends compile, which does not happen here: they return the graph."""
    return _BACKENDS.get(compiler_fn, _as_it_is) if isinstance(compiler_fn, str) else compiler_fn


def _as_it_is(gm, example_inputs, **kwargs):
    return gm


def given(backend):
    if callable(backend) and backend not in _given:
        _given.append(backend)


def used():
    """[(name, function)] of the backends of this run."""
    return [
        *_BACKENDS.items(),
        *((getattr(f, "__name__", type(f).__name__), f) for f in _given if f not in _BACKENDS.values()),
    ]


def list_backends(exclude_tags=("debug", "experimental")):
    return sorted(_BACKENDS)


__getattr__ = _partial.of_pytorch(__name__)
