"""A pattern is registered twice: with TorchInductor's matcher, and with the graph compiler that may run instead of it."""

from abc import ABC, abstractmethod

import npugraph_ex as nge
import torch
import torch._inductor.pattern_matcher as pm

# One process may make the same fusion pass several times; the graph compiler keeps what it was told.
_registered_patterns: set[str] = set()


def one_stream(match: pm.Match) -> bool:
    """A fused operator runs on one stream: what was spread over several must stay as it is."""
    labels = {node.meta.get("stream_label") for node in match.nodes if node.op == "call_function"}
    return len(labels) <= 1


class BasePattern(ABC):
    def __init__(self, eps: float) -> None:
        self.eps = eps

    @abstractmethod
    def get_inputs(self) -> list[torch.Tensor]: ...

    @abstractmethod
    def get_pattern(self): ...

    @abstractmethod
    def get_replacement(self): ...

    def register(self, pm_pass: pm.PatternMatcherPass) -> None:
        pattern_id = f"{type(self).__name__}_{self.eps}"
        if pattern_id in _registered_patterns:
            return
        pattern, replacement, inputs = self.get_pattern(), self.get_replacement(), self.get_inputs()
        pm.register_replacement(pattern, replacement, inputs, pm.fwd_only, pm_pass)
        nge.register_replacement(
            search_fn=pattern, replace_fn=replacement, example_inputs=inputs, extra_check=one_stream
        )
        _registered_patterns.add(pattern_id)
