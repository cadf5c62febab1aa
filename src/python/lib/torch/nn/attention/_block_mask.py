"""BlockMask: which blocks of keys each block of queries attends to, and the functions that make one."""

import enum
import inspect

import torch
from torch._functorch.apis import vmap
from torch._tensor.indexing import whole_index

_DEFAULT_SPARSE_BLOCK_SIZE = 128
LARGE_SPARSE_BLOCK_SIZE = 1 << 30


class _ModificationType(enum.Enum):
    SCORE_MOD = 1
    MASK_MOD = 2
    UNKNOWN = 3


def _get_mod_type(fn):
    given = [p for p in inspect.signature(fn).parameters.values() if p.default is inspect.Parameter.empty]
    if len(given) not in (4, 5):
        raise AssertionError(f"Expected 4 or 5 positional args, got {len(given)}")
    return _ModificationType.SCORE_MOD if len(given) == 5 else _ModificationType.MASK_MOD


def _vmap_for_bhqkv(fn, prefix):
    """The function over all batches, heads, queries and keys."""
    for mapped in range(3, -1, -1):
        fn = vmap(fn, in_dims=prefix + tuple(0 if i == mapped else None for i in range(4)))
    return fn


def noop_mask(batch, head, token_q, token_kv):
    return batch.new_ones(size=(), dtype=torch.bool, device=batch.device)


def or_masks(*mask_mods):
    if not all(callable(arg) for arg in mask_mods):
        raise RuntimeError(f"All inputs should be callable mask_mods: {mask_mods}")

    def or_mask(b, h, q_idx, kv_idx):
        result = b.new_zeros((), dtype=torch.bool)
        for mask in mask_mods:
            result = result | mask(b, h, q_idx, kv_idx)
        return result

    return or_mask


def and_masks(*mask_mods):
    if not all(callable(arg) for arg in mask_mods):
        raise RuntimeError(f"All inputs should be callable mask_mods: {mask_mods}")

    def and_mask(b, h, q_idx, kv_idx):
        result = b.new_ones((), dtype=torch.bool)
        for mask in mask_mods:
            result = result & mask(b, h, q_idx, kv_idx)
        return result

    return and_mask


def _ordered_to_dense(num_blocks_in_row, col_indices, num_cols):
    num_rows, max_entries = col_indices.shape[-2:]
    device = num_blocks_in_row.device

    def create_dense_one(kv_num_blocks, kv_indices):
        dense_mask = kv_indices.new_zeros(num_rows, num_cols + 1, dtype=torch.int32)
        row_indices = torch.arange(num_rows, dtype=torch.int, device=device).unsqueeze(-1)
        col_range = torch.arange(max_entries, dtype=torch.int, device=device)
        index_mask = col_range < kv_num_blocks.unsqueeze(-1)
        valid_indices = torch.where(index_mask, kv_indices, num_cols)  # one place "out of bounds"
        dense_mask[row_indices, valid_indices] = dense_mask.new_ones(())
        return dense_mask[:, :num_cols].contiguous()

    dense = create_dense_one
    for _ in num_blocks_in_row.shape[:-1]:
        dense = vmap(dense, in_dims=(0, 0))
    return dense(num_blocks_in_row, col_indices)


def _dense_to_ordered(dense_mask):
    dense_mask = dense_mask.to(dtype=torch.int32)
    num_blocks_in_row = dense_mask.sum(dim=-1)
    col_indices = torch.argsort(dense_mask, dim=-1, descending=True, stable=True)
    return tuple(t.to(torch.int32, memory_format=torch.contiguous_format) for t in (num_blocks_in_row, col_indices))


class BlockMask:
    def __init__(
        self,
        seq_lengths,
        kv_num_blocks,
        kv_indices,
        full_kv_num_blocks,
        full_kv_indices,
        q_num_blocks,
        q_indices,
        full_q_num_blocks,
        full_q_indices,
        BLOCK_SIZE=(_DEFAULT_SPARSE_BLOCK_SIZE, _DEFAULT_SPARSE_BLOCK_SIZE),
        mask_mod=noop_mask,
        *,
        dq_write_order=None,
        dq_write_order_full=None,
        dq_kv_order=None,
        dq_kv_order_spt=None,
    ):
        if kv_indices.dim() < 2:
            raise RuntimeError("BlockMask must have at least 2 dimensions")
        if (full_kv_num_blocks is None) != (full_kv_indices is None):
            raise AssertionError("full_kv_num_blocks and full_kv_indices must be both provided or omitted")
        if (full_q_num_blocks is None) != (full_q_indices is None):
            raise AssertionError("full_q_num_blocks and full_q_indices must be both provided or omitted")
        self.seq_lengths = seq_lengths
        self.kv_num_blocks, self.kv_indices = kv_num_blocks, kv_indices
        self.full_kv_num_blocks, self.full_kv_indices = full_kv_num_blocks, full_kv_indices
        self.q_num_blocks, self.q_indices = q_num_blocks, q_indices
        self.full_q_num_blocks, self.full_q_indices = full_q_num_blocks, full_q_indices
        self.dq_write_order, self.dq_write_order_full = dq_write_order, dq_write_order_full
        self.dq_kv_order, self.dq_kv_order_spt = dq_kv_order, dq_kv_order_spt
        self.BLOCK_SIZE = BLOCK_SIZE
        self.mask_mod = mask_mod

    @classmethod
    def from_kv_blocks(
        cls,
        kv_num_blocks,
        kv_indices,
        full_kv_num_blocks=None,
        full_kv_indices=None,
        BLOCK_SIZE=_DEFAULT_SPARSE_BLOCK_SIZE,
        mask_mod=None,
        seq_lengths=None,
        compute_q_blocks=True,
    ):
        if kv_indices.dim() < 2:
            raise RuntimeError("BlockMask must have at least 2 dimensions")
        if (full_kv_num_blocks is None) != (full_kv_indices is None):
            raise AssertionError("full_kv_num_blocks and full_kv_indices must be both provided or omitted")
        if isinstance(BLOCK_SIZE, int):
            BLOCK_SIZE = (BLOCK_SIZE, BLOCK_SIZE)
        if seq_lengths is None:
            seq_lengths = tuple(kv_indices.shape[i] * BLOCK_SIZE[i] for i in (-2, -1))
        columns = (seq_lengths[1] + BLOCK_SIZE[1] - 1) // BLOCK_SIZE[1]
        by_column = [None, None, None, None]
        if compute_q_blocks:
            for i, (count, indices) in enumerate(((kv_num_blocks, kv_indices), (full_kv_num_blocks, full_kv_indices))):
                if count is not None:
                    dense = _ordered_to_dense(count, indices, columns)
                    by_column[2 * i : 2 * i + 2] = _dense_to_ordered(dense.transpose(-2, -1))
        return cls(
            seq_lengths,
            kv_num_blocks,
            kv_indices,
            full_kv_num_blocks,
            full_kv_indices,
            *by_column,
            BLOCK_SIZE=BLOCK_SIZE,
            mask_mod=noop_mask if mask_mod is None else mask_mod,
        )

    def as_tuple(self, flatten=True):
        return (
            *(self.seq_lengths if flatten else (self.seq_lengths,)),
            self.kv_num_blocks,
            self.kv_indices,
            self.full_kv_num_blocks,
            self.full_kv_indices,
            self.q_num_blocks,
            self.q_indices,
            self.full_q_num_blocks,
            self.full_q_indices,
            self.dq_write_order,
            self.dq_write_order_full,
            self.dq_kv_order,
            self.dq_kv_order_spt,
            *(self.BLOCK_SIZE if flatten else (self.BLOCK_SIZE,)),
            self.mask_mod,
        )

    @property
    def shape(self):
        return (*self.kv_indices.shape[:-2], *self.seq_lengths)

    def __getitem__(self, index):
        raise NotImplementedError("Fusescope does not slice a BlockMask")

    def __getattr__(self, name):
        if name.startswith("_"):
            raise AttributeError(name)
        raise NotImplementedError(f"Fusescope has no BlockMask.{name}")


def _convert_mask_to_block_mask(mask, rows, columns, separate_full_blocks):
    if mask.dtype != torch.bool:
        raise AssertionError(f"mask.dtype must be torch.bool, got {mask.dtype}")
    while mask.dim() < 4:
        mask = mask.unsqueeze(0)
    mask = torch.nn.functional.pad(mask, (0, -mask.shape[-1] % columns, 0, -mask.shape[-2] % rows))
    batch, heads, queries, keys = mask.shape
    mask = mask.view(batch, heads, queries // rows, rows, keys // columns, columns)
    total = mask.permute(0, 1, 2, 4, 3, 5).sum(dim=[-2, -1])
    if not separate_full_blocks:
        return (total > 0).to(dtype=torch.int8), None
    full = total == rows * columns
    partial = (total > 0) & (total < rows * columns)
    return partial.to(dtype=torch.int8), full.to(dtype=torch.int8)


def _device(device):
    return device if device is not None else torch.accelerator.current_accelerator() or "cpu"


def create_mask(mod_fn, B, H, Q_LEN, KV_LEN, device=None):
    device = _device(device)
    sizes = (1 if B is None else B, 1 if H is None else H, Q_LEN, KV_LEN)
    indices = [torch.arange(0, size, device=device) for size in sizes]
    kind = _get_mod_type(mod_fn)
    with whole_index():
        if kind == _ModificationType.MASK_MOD:
            return _vmap_for_bhqkv(mod_fn, ())(*indices)
        out = _vmap_for_bhqkv(mod_fn, (0,))(torch.zeros(*sizes, device=device), *indices)
        return torch.where(torch.isneginf(out), False, True)


def create_block_mask(
    mask_mod,
    B,
    H,
    Q_LEN,
    KV_LEN,
    device=None,
    BLOCK_SIZE=_DEFAULT_SPARSE_BLOCK_SIZE,
    _compile=False,
    separate_full_blocks=True,
    compute_dq_write_order=False,
    dq_kv_order=True,
):
    if _get_mod_type(mask_mod) != _ModificationType.MASK_MOD:
        raise AssertionError(f"create-block_mask requires a mask_mod function! Got {mask_mod}")
    if _compile or compute_dq_write_order:
        raise NotImplementedError("Fusescope traces create_block_mask without _compile and compute_dq_write_order")
    rows, columns = (BLOCK_SIZE, BLOCK_SIZE) if isinstance(BLOCK_SIZE, int) else BLOCK_SIZE
    mask = create_mask(mask_mod, B, H, Q_LEN, KV_LEN, _device(device))
    partial, full = _convert_mask_to_block_mask(mask, rows, columns, separate_full_blocks)
    partial = _dense_to_ordered(partial)
    full = (None, None) if full is None else _dense_to_ordered(full)
    return BlockMask.from_kv_blocks(
        *partial, *full, BLOCK_SIZE=(rows, columns), mask_mod=mask_mod, seq_lengths=(Q_LEN, KV_LEN)
    )


def create_empty_block_mask(query, key):
    """One block as long as all queries and keys."""
    return BlockMask.from_kv_blocks(
        kv_num_blocks=torch.ones([1, 1, 1], dtype=torch.int32, device=query.device),
        kv_indices=torch.zeros([1, 1, 1, 1], dtype=torch.int32, device=query.device),
        BLOCK_SIZE=LARGE_SPARSE_BLOCK_SIZE,
        seq_lengths=(1, 1),
    )
