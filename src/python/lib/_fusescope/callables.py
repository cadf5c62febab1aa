"""Python functions by number, for the tracer's side to name."""
_all = []


def number(fn):
    _all.append(fn)
    return len(_all) - 1


def get(n):
    return _all[n]


def forget():
    _all.clear()
