"""torch.cuda: tensors can have a CUDA device, but nothing runs on it."""


def is_available():
    return False


is_initialized = is_bf16_supported = is_current_stream_capturing = is_available


def device_count():
    return 0


def current_device():
    return 0


def get_device_capability(device=None):
    raise RuntimeError("Fusescope has no CUDA device to ask for its capability")


def get_device_properties(device=None):
    raise RuntimeError("Fusescope has no CUDA device to ask for its properties")


def _nothing(*args, **kwargs):
    return None


synchronize = empty_cache = set_device = init = manual_seed = manual_seed_all = reset_peak_memory_stats = _nothing


def __getattr__(name):
    if name.startswith("__"):
        raise AttributeError(name)
    from _fusescope import stubs

    return stubs.missing("torch.cuda", name)
