"""torch._C._linalg: the functions of torch.linalg under their C names."""

from torch._homes import of_c

__getattr__ = of_c("linalg")
