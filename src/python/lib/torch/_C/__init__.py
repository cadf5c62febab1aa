"""torch._C: the build flags that pass files ask for. Its functions are in four modules; its other names are stubs."""

_has_mkldnn = _has_mkl = has_openmp = has_lapack = _has_distributed = True
_has_cuda = _has_cudnn = _has_mps = _has_xpu = False


def _get_tracing_state():
    return None


def _functorch_is_empty():
    return True


def __getattr__(name):
    import importlib

    from _fusescope import stubs

    if name.startswith("__"):
        raise AttributeError(name)
    if name in ("_fft", "_linalg", "_nn", "_special"):
        return importlib.import_module(f"{__name__}.{name}")
    return stubs.missing(__name__, name)
