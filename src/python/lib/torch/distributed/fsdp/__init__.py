"""torch.distributed.fsdp: the policy of dtypes as data; nothing is sharded here."""

import dataclasses
from typing import Any

from _fusescope import partial_modules as _partial


@dataclasses.dataclass(frozen=True)
class MixedPrecisionPolicy:
    param_dtype: Any = None
    reduce_dtype: Any = None
    output_dtype: Any = None
    cast_forward_inputs: bool = True


__getattr__ = _partial.of_pytorch(__name__, listed=False)
