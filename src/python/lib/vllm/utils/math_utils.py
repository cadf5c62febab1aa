"""vllm.utils.math_utils."""


def cdiv(a, b):
    return -(a // -b)


def round_up(x, y):
    return cdiv(x, y) * y


def round_down(x, y):
    return x // y * y
