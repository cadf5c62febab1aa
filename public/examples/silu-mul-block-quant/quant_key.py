"""Names for quantisation schemes: what the values become, how the scales are shaped, and who computes them."""

from dataclasses import dataclass
from typing import NamedTuple, Optional

import torch

FP8_DTYPE = torch.float8_e4m3fn
FP4_DTYPE = torch.uint8  # two e2m1 codes a byte


class GroupShape(NamedTuple):
    """How many rows and columns share one scale; -1 means all of them."""

    row: int
    col: int

    def is_per_tensor(self) -> bool:
        return self.row == -1 and self.col == -1

    def is_per_token(self) -> bool:
        return self.row == 1 and self.col == -1

    def is_per_group(self) -> bool:
        return self.row == 1 and self.col >= 1


PER_TENSOR = GroupShape(-1, -1)


@dataclass(frozen=True)
class ScaleDesc:
    dtype: torch.dtype
    static: bool
    group_shape: GroupShape


@dataclass(frozen=True)
class QuantKey:
    """One scheme. Equal keys are equal schemes, so a key finds its operators in a dictionary."""

    dtype: torch.dtype
    scale: ScaleDesc
    scale2: Optional[ScaleDesc] = None
    symmetric: bool = True


kFp8StaticTensorSym = QuantKey(FP8_DTYPE, ScaleDesc(torch.float32, True, PER_TENSOR))
kFp8Dynamic128Sym = QuantKey(FP8_DTYPE, ScaleDesc(torch.float32, False, GroupShape(1, 128)))
kFp8Dynamic64Sym = QuantKey(FP8_DTYPE, ScaleDesc(torch.float32, False, GroupShape(1, 64)))
kNvfp4Dynamic = QuantKey(
    FP4_DTYPE,
    ScaleDesc(FP8_DTYPE, False, GroupShape(1, 16)),
    scale2=ScaleDesc(torch.float32, True, PER_TENSOR),
)
