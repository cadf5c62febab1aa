"""torch.ao.quantization.fx._decomposed: the import that makes the operators quantized_decomposed known, which they are here."""

from _fusescope import partial_modules as _partial
from torch.library import Library

quantized_decomposed_lib = Library("quantized_decomposed", "FRAGMENT")

__getattr__ = _partial.of_pytorch(__name__, listed=False)
