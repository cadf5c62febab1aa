"""vllm.config.utils: a range of token counts, for compile ranges."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Range:
    start: int
    end: int

    def is_single_size(self):
        return self.start == self.end

    def __contains__(self, size):
        return self.start <= size <= self.end

    def __str__(self):
        return f"({self.start}, {'+inf' if self.end >= 2**31 else self.end})"


def config(cls=None, **kwargs):
    return cls if cls is not None else (lambda c: c)
