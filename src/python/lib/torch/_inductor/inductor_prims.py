"""torch._inductor.inductor_prims: Inductor's own operators, by the names that its modules give them."""

import torch
from _fusescope import partial_modules as _partial

_prims = torch.ops.prims
seed, seeds = _prims.inductor_seed.default, _prims.inductor_seeds.default
lookup_seed = _prims.inductor_lookup_seed.default
random, randint = _prims.inductor_random.default, _prims.inductor_randint.default
force_stride_order = _prims.inductor_force_stride_order.default
fma, prepare_softmax_online = _prims.fma.default, _prims.prepare_softmax_online.default

__getattr__ = _partial.of_pytorch(__name__, listed=False)
