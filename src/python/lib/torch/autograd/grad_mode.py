"""torch.autograd.grad_mode. The mode is the engine's, which follows it where it differentiates; a trace restores the mode before it."""

import functools

from _fusescope import engine


class _GradMode:
    """Sets the mode for a block, or for each call of a function."""

    def __new__(cls, mode=True, *args, **kwargs):
        made = object.__new__(cls)
        if not callable(mode):
            return made
        made.__init__()
        return made(mode)

    def __init__(self):
        self.on = False

    def __enter__(self):
        self.prev = engine.grad_mode(self.on)

    def __exit__(self, *exc):
        engine.grad_mode(self.prev)

    def __call__(self, fn):
        if isinstance(fn, type):
            return fn

        @functools.wraps(fn)
        def wrapper(*args, **kwargs):
            before = engine.grad_mode(self.on)
            try:
                return fn(*args, **kwargs)
            finally:
                engine.grad_mode(before)

        return wrapper


class no_grad(_GradMode):
    pass


class enable_grad(_GradMode):
    def __init__(self):
        self.on = True


class inference_mode(_GradMode):
    def __init__(self, mode=True):
        self.on = not mode


class set_grad_enabled(_GradMode):
    """Sets the mode at once; a block or a decorated function ends with the mode before."""

    def __new__(cls, mode):
        return object.__new__(cls)

    def __init__(self, mode):
        self.on = bool(mode)
        self.prev = engine.grad_mode(self.on)

    def __enter__(self):
        engine.grad_mode(self.on)

    def __call__(self, fn):
        engine.grad_mode(self.prev)
        return super().__call__(fn)


def is_grad_enabled():
    return engine.grad_mode(None)
