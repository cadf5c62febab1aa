"""The part of pytest that unit tests of fusion passes use: marks, fixtures, raises and skip."""

import contextlib
import re

from _fusescope.unit_tests import fixtures
from _fusescope.unit_tests.fixtures import Fixture


def fixture(function=None, *, scope="function", autouse=False, name=None, params=None):
    return Fixture(function, name) if function is not None else lambda f: Fixture(f, name)


class param:
    """One set of values of parametrize, with its own id."""

    def __init__(self, *values, marks=(), id=None):
        self.values, self.id = values, id


class _Mark:
    def parametrize(self, argnames, argvalues, ids=None):
        names = [n.strip() for n in argnames.split(",")] if isinstance(argnames, str) else list(argnames)
        sets = [_values(value, len(names)) for value in argvalues]
        labels = ids if ids is not None else [_label(s, i) for i, s in enumerate(argvalues)]
        mark = [(str(label), dict(zip(names, values, strict=True))) for label, values in zip(labels, sets, strict=True)]

        def decorate(function):
            # The outermost decorator varies fastest, as in pytest.
            function._fusescope_parameters = [*getattr(function, "_fusescope_parameters", []), mark]
            return function

        return decorate

    def skipif(self, condition, *, reason=""):
        return self.skip(reason=reason) if condition else (lambda function: function)

    def skip(self, function=None, *, reason=""):
        def decorate(function):
            function._fusescope_skips = [reason, *getattr(function, "_fusescope_skips", [])]
            return function

        return decorate if function is None else decorate(function)

    def __getattr__(self, name):
        """Any other mark, such as `slow` or `gpu`, has no effect."""
        if name.startswith("__"):
            raise AttributeError(name)
        return lambda *args, **kwargs: args[0] if len(args) == 1 and callable(args[0]) else (lambda function: function)


mark = _Mark()


def _values(value, count):
    if isinstance(value, param):
        return value.values
    return (value,) if count == 1 else tuple(value)


def _label(value, index):
    if isinstance(value, param):
        return value.id or _label(value.values[0] if len(value.values) == 1 else value.values, index)
    each = value if isinstance(value, (tuple, list)) else [value]
    plain = (bool, int, float, str, type(None))
    return "-".join(str(v) if isinstance(v, plain) or type(v).__name__ == "dtype" else f"value{index}" for v in each)


class _Raised:
    """The `info` of `with pytest.raises(…) as info`."""

    value = None

    @property
    def type(self):
        return type(self.value)


@contextlib.contextmanager
def raises(expected_exception, *, match=None):
    info = _Raised()
    try:
        yield info
    except expected_exception as e:
        info.value = e
        if match is not None and not re.search(match, str(e)):
            raise AssertionError(f"{str(e)!r} does not match {match!r}") from e
        return
    names = expected_exception if isinstance(expected_exception, tuple) else (expected_exception,)
    raise AssertionError(f"did not raise {' or '.join(k.__name__ for k in names)}")


def skip(reason="", *, allow_module_level=False):
    raise fixtures.Skipped(reason)


def fail(reason="", pytrace=True):
    raise AssertionError(reason)
