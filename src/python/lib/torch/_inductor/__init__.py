from . import pattern_matcher  # noqa: F401


class _Config:
    """torch._inductor.config: remembers what it is told."""

    def patch(self, *args, **kwargs):
        from torch import no_grad

        return no_grad()

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return None


config = _Config()
