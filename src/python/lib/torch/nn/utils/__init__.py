"""torch.nn.utils: the parts that work on tensors."""

from . import rnn  # noqa: F401
