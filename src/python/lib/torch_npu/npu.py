"""torch.npu, which importing torch_npu adds: one device without kernels."""


def is_available():
    return True


def device_count():
    return 1


def current_device():
    return 0


def set_compile_mode(jit_compile=False):
    pass
