"""torch._C._fft: the functions of torch.fft under their C names."""

from torch._homes import of_c

__getattr__ = of_c("fft")
