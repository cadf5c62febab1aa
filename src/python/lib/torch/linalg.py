"""torch.linalg: norms and the operators that aten has under the same name with `linalg_` before it."""
from _fusescope import bridge


def vector_norm(x, ord=2, dim=None, keepdim=False, *, dtype=None, out=None):
    dim = [dim] if isinstance(dim, int) else dim if dim is None else list(dim)
    return bridge.op("aten.linalg_vector_norm.default", (x, ord, dim, keepdim), {} if dtype is None else {"dtype": dtype})


def norm(A, ord=None, dim=None, keepdim=False, *, out=None, dtype=None):
    if ord is None or isinstance(dim, int) or A.ndim == 1:
        return vector_norm(A, 2.0 if ord is None else ord, dim, keepdim, dtype=dtype)
    raise NotImplementedError("Fusescope's torch has no norm of a matrix by order")


def __getattr__(name):
    if name.startswith("_"):
        raise AttributeError(name)
    return lambda *args, **kwargs: bridge.op(f"aten.linalg_{name}", args, kwargs)
