"""torch.sym_int and the like: Python arithmetic on sizes, symbolic ones included."""


def sym_int(value):
    return int(value) if isinstance(value, float) else value


def sym_not(value):
    return not value


def sym_sum(*args):
    return sum(args[0] if len(args) == 1 and isinstance(args[0], (list, tuple)) else args)


def sym_max(a, b):
    return a if a >= b else b


def sym_min(a, b):
    return a if a <= b else b
