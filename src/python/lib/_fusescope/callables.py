"""Python functions by number, for the tracer's side to name, and the names of what they take."""
import inspect

_all = []
_numbers = {}  # by identity, of what has to keep its number; it is alive as long as it stands in _all


def number(fn):
    _all.append(fn)
    return len(_all) - 1


def lasting_number(fn):
    """The same number each time."""
    if id(fn) not in _numbers:
        _numbers[id(fn)] = number(fn)
    return _numbers[id(fn)]


def get(n):
    return _all[n]


def forget():
    _all.clear()
    _numbers.clear()


def input_names(fn, count):
    """Names of fn's inputs as make_fx has them: its parameters, or arg0, arg1, … where it has no such code of its own."""
    code = getattr(inspect.unwrap(fn), "__code__", None)
    if code is not None and not code.co_flags & inspect.CO_VARARGS:
        names = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
        if len(names) == count:
            return list(names)
    return [f"arg{i}" for i in range(count)]
