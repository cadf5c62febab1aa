"""torch.linalg: norms, and the operators that aten has with the prefix `linalg_`."""

import collections

from _fusescope import bridge

from . import _calls, _homes, overrides


def vector_norm(x, ord=2, dim=None, keepdim=False, *, dtype=None, out=None):
    dim = [dim] if isinstance(dim, int) else dim if dim is None else list(dim)
    return bridge.op("aten.linalg_vector_norm", (x, ord, dim, keepdim), _given(dtype=dtype, out=out))


def _given(**kwargs):
    return {k: v for k, v in kwargs.items() if v is not None}


def norm(A, ord=None, dim=None, keepdim=False, *, out=None, dtype=None):
    two = len(dim) == 2 if isinstance(dim, (list, tuple)) else dim is None and A.ndim == 2
    if ord is None or not two:
        return vector_norm(A, 2.0 if ord is None else ord, dim, keepdim, dtype=dtype, out=out)
    return matrix_norm(A, ord, (0, 1) if dim is None else dim, keepdim, dtype=dtype, out=out)


def matrix_norm(A, ord="fro", dim=(-2, -1), keepdim=False, *, dtype=None, out=None):
    overload = "str_ord" if isinstance(ord, str) else "default"
    args = (A, ord, list(dim), keepdim)
    if out is not None:
        overload = "str_ord_out" if isinstance(ord, str) else "out"
    return bridge.op(f"aten.linalg_matrix_norm.{overload}", args, _given(dtype=dtype, out=out))


_NAMED = {
    "svd": ("U", "S", "Vh"),
    "eigh": ("eigenvalues", "eigenvectors"),
    "eig": ("eigenvalues", "eigenvectors"),
    "qr": ("Q", "R"),
    "slogdet": ("sign", "logabsdet"),
    "lu_factor": ("LU", "pivots"),
    "solve_ex": ("result", "info"),
    "inv_ex": ("inverse", "info"),
    "cholesky_ex": ("L", "info"),
    "lu_factor_ex": ("LU", "pivots", "info"),
}


for _function in (vector_norm, norm, matrix_norm):
    globals()[_function.__name__] = overrides.overridable(_homes.settle(_function, __name__, _function.__name__))


def __getattr__(name):
    if name not in _homes.C_NAMES["linalg"]:
        raise AttributeError(f"module 'torch.linalg' has no attribute '{name}'")

    fields = _NAMED.get(name)
    written = ("eigvals", "eigvecs") if name == "eigh" else fields

    def function(*args, out=None, **kwargs):
        made = bridge.op(f"aten.linalg_{name}", args, {**kwargs, **_calls.outs(out, written)})
        return (
            made
            if fields is None
            else collections.namedtuple(f"linalg_{name}", fields, module="torch.return_types")(*made)
        )

    globals()[name] = overrides.overridable(_homes.settle(function, __name__, name))
    return globals()[name]
