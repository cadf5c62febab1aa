"""torch._inductor: the pattern matcher, and a configuration that remembers what it is told."""
import types

from _fusescope import environment

from . import pattern_matcher  # noqa: F401


class _Patch:
    """config.patch(…): a context and a decorator."""

    def __enter__(self):
        return self

    def __exit__(self, *exc):
        return False

    def __call__(self, fn):
        return fn


class _Config(types.ModuleType):
    def forget(self):
        """Drops what user code set."""
        for name in [n for n in vars(self) if not n.startswith("__")]:
            delattr(self, name)

    def patch(self, *args, **kwargs):
        return _Patch()

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        if name == "enable_auto_functionalized_v2":
            return environment.answer(f"torch._inductor.config.{name}", environment.functionalization() == "v2")
        return None


config = _Config("torch._inductor.config")


def _install():
    import sys

    sys.modules["torch._inductor.config"] = config


_install()
