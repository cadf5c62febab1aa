"""torch.fx.passes.pass_manager: the older manager, whose passes take a module and return it."""

import functools
import inspect
import logging

from _fusescope import partial_modules as _partial

from .infra.pass_manager import Schedule, this_before_that_pass_constraint  # noqa: F401

logger = logging.getLogger(__name__)


def inplace_wrapper(fn):
    """Makes a function that edits its argument return it."""

    @functools.wraps(fn)
    def wrapped_fn(gm, *args, **kwargs):
        fn(gm, *args, **kwargs)
        return gm

    return wrapped_fn


def log_hook(fn, level=logging.INFO):
    @functools.wraps(fn)
    def wrapped_fn(*args, **kwargs):
        result = fn(*args, **kwargs)
        logger.log(level, "Ran pass %s\t Return value: %s", fn, result)
        return result

    return wrapped_fn


def loop_pass(base_pass, n_iter=None, predicate=None):
    """Repeats a pass n_iter times, or while predicate(module) is true."""
    if (n_iter is None) == (predicate is None):
        raise AssertionError("Exactly one of `n_iter`or `predicate` must be specified.")

    @functools.wraps(base_pass)
    def new_pass(source):
        if predicate is None and n_iter <= 0:
            raise RuntimeError(
                f"loop_pass must be given positive int n_iter (given {n_iter}) xor predicate (given {predicate})"
            )
        times = 0
        while predicate(source) if n_iter is None else times < n_iter:
            source = base_pass(source)
            times += 1
        return source

    return new_pass


def these_before_those_pass_constraint(these, those):
    """As this_before_that_pass_constraint, for the functions inside wrappers."""
    return lambda a, b: inspect.unwrap(a) != those or inspect.unwrap(b) != these


class PassManager(Schedule):
    def __init__(self, passes=None, constraints=None):
        self.passes, self.constraints = passes or [], constraints or []

    @classmethod
    def build_from_passlist(cls, passes):
        return PassManager(passes)

    def remove_pass(self, _passes):
        if _passes is not None:
            self.passes = [p for p in self.passes if p.__name__ not in _passes]
            self._validated = False

    def replace_pass(self, _target, _replacement):
        self.passes = [_replacement if p.__name__ == _target.__name__ else p for p in self.passes]
        self._validated = False

    def validate(self):
        self._validate()

    def __call__(self, source):
        self.validate()
        for each in self.passes:
            source = each(source)
        return source


__getattr__ = _partial.of_pytorch(__name__)
