"""torch._C._special: the functions of torch.special under their C names."""

from torch._homes import of_c

__getattr__ = of_c("special")
