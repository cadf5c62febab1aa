"""A pattern that is registered twice: with Inductor's matcher, and with the graph compiler that can replace it."""

from abc import ABC, abstractmethod

import npugraph_ex
import torch._inductor.pattern_matcher as pm

from .utils.npugraph_ex_utils_check import extra_stream_scope_check

_registered_patterns = set()


class BasePattern(ABC):
    def __init__(self, vllm_config, eps=1e-6):
        self.vllm_config, self.eps = vllm_config, eps
        self.dtype = vllm_config.model_config.dtype

    @abstractmethod
    def get_inputs(self): ...

    @abstractmethod
    def get_pattern(self): ...

    @abstractmethod
    def get_replacement(self): ...

    def get_extra_stream_scope_check(self):
        return extra_stream_scope_check

    def register(self, pm_pass):
        pattern_id = f"{type(self).__name__}_{self.eps}"
        if pattern_id in _registered_patterns:
            return
        search, replace, inputs = self.get_pattern(), self.get_replacement(), self.get_inputs()
        pm.register_replacement(search, replace, inputs, pm.fwd_only, pm_pass)
        npugraph_ex.register_replacement(
            search_fn=search, replace_fn=replace, example_inputs=inputs, extra_check=self.get_extra_stream_scope_check()
        )
        _registered_patterns.add(pattern_id)
