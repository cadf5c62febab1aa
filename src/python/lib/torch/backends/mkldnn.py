"""torch.backends.mkldnn: oneDNN's settings."""

enabled, deterministic, allow_tf32 = True, False, True


def is_available():
    return True


is_acl_available = lambda: False  # noqa: E731


def __getattr__(name):
    from _fusescope import stubs

    if name.startswith("__"):
        raise AttributeError(name)
    return stubs.missing(__name__, name)
