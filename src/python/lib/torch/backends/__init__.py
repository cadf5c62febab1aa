"""torch.backends: the CPU's libraries are there, as in PyTorch's builds for x86; other names are stubs."""


def __getattr__(name):
    import importlib

    from _fusescope import stubs

    if name.startswith("__"):
        raise AttributeError(name)
    return importlib.import_module("torch.backends.mkldnn") if name == "mkldnn" else stubs.missing(__name__, name)
