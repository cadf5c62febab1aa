"""torch.ops.symm_mem's matrix products fused with a collective, which AsyncTP inserts. The schemas are those of torch.distributed._symmetric_memory, which declares them on import."""

import torch
from torch.library import Library

from .parallel_state import get_tensor_model_parallel_world_size

_library = Library("symm_mem", "FRAGMENT")


def _declare(schema):
    def register(fake):
        _library.define(schema)
        _library._register_fake(schema.split("(")[0], fake)
        return fake

    return register


def like(x, dim, size, columns=None, dtype=None):
    """A tensor like x with another size of one dimension, and the last dimension of the product."""
    shape = list(x.shape)
    shape[dim] = size
    if columns is not None:
        shape[-1] = columns
    return torch.empty(shape, dtype=dtype or x.dtype, device=x.device)


@_declare(
    "fused_all_gather_matmul(Tensor A, Tensor[] Bs, int gather_dim, str group_name, *, bool return_A=True)"
    " -> (Tensor?, Tensor[])"
)
def _all_gather_matmul(A, Bs, gather_dim, group_name, *, return_A=True):
    rows = A.shape[gather_dim] * get_tensor_model_parallel_world_size()
    return like(A, gather_dim, rows), [like(A, gather_dim, rows, B.shape[-1]) for B in Bs]


@_declare(
    "fused_all_gather_scaled_matmul(Tensor A, Tensor[] Bs, Tensor A_scale, Tensor[] B_scales, int gather_dim,"
    " str group_name, Tensor?[] biases, Tensor?[] result_scales, ScalarType?[] out_dtypes, bool[] use_fast_accum)"
    " -> (Tensor, Tensor[])"
)
def _all_gather_scaled_matmul(
    A, Bs, A_scale, B_scales, gather_dim, group_name, biases, result_scales, out_dtypes, fast
):
    rows = A.shape[gather_dim] * get_tensor_model_parallel_world_size()
    made = [like(A, gather_dim, rows, B.shape[-1], dtype) for B, dtype in zip(Bs, out_dtypes)]
    return like(A, gather_dim, rows), made


@_declare("fused_matmul_reduce_scatter(Tensor A, Tensor B, str reduce_op, int scatter_dim, str group_name) -> Tensor")
def _matmul_reduce_scatter(A, B, reduce_op, scatter_dim, group_name):
    return like(A, scatter_dim, A.shape[scatter_dim] // get_tensor_model_parallel_world_size(), B.shape[-1])
