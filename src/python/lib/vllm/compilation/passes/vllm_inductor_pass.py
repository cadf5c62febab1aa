"""vllm.compilation.passes.vllm_inductor_pass: the base classes of vLLM's passes."""

import functools
import operator
import re
import textwrap
import time
from abc import ABC, abstractmethod
from collections import defaultdict
from dataclasses import dataclass

import torch
import torch._inductor.pattern_matcher as pm
from torch._inductor.fx_passes.post_grad import view_to_reshape
from torch._inductor.pattern_matcher import PatternMatcherPass, PatternPrettyPrinter
from vllm.logger import init_logger

from .fx_utils import is_func
from .inductor_pass import InductorPass, enable_fake_mode

logger = init_logger(__name__)

_OVERLOAD = re.compile(r"<OpOverload\(op='([^']*)', overload='([^']*)'\)>")


@dataclass
class InductorCompilationConfig:
    splitting_ops: list | None = None
    use_inductor_graph_partition: bool = False


class VllmInductorPass(InductorPass):
    """A pass that reads vLLM's configuration and logs its duration."""

    dump_prefix = None

    def __init__(self, config):
        compilation = config.compilation_config
        self.compilation_config = InductorCompilationConfig(
            compilation.splitting_ops, compilation.use_inductor_graph_partition
        )
        self.pass_config = compilation.pass_config
        self.model_dtype = config.model_config.dtype if config.model_config else None
        self.device = config.device_config.device if config.device_config else None
        self.pass_name = type(self).__name__

    @staticmethod
    def time_and_log(call_fn):
        @functools.wraps(call_fn)
        def wrapped(self, graph):
            self.begin()
            self.dump_graph(graph, "before")
            call_fn(self, graph)
            self.dump_graph(graph, "after")
            self.end_and_log()

        return wrapped

    def dump_graph(self, graph, stage):
        logger.debug("%s.%s\n%s", self.pass_name, stage, graph)

    def begin(self):
        self._start_time = time.perf_counter_ns()

    def end_and_log(self):
        self._end_time = time.perf_counter_ns()
        logger.debug("%s completed in %.1f ms", self.pass_name, (self._end_time - self._start_time) / 1e6)


class VllmPatternMatcherPass(VllmInductorPass):
    """A pattern-matching pass: counts its matches, and can print its patterns."""

    matched_count = 0
    match_table = defaultdict(int)

    @classmethod
    def log_match_summary(cls):
        if cls.match_table:
            logger.debug("fusion pass matches: %s", dict(cls.match_table))

    def dump_patterns(self, config, pm_pass):
        """Prints each pattern as Python if debug_dump_path is set."""
        if not config.compile_debug_dump_path():
            return
        print(f"# patterns.{self.pass_name}.py\n")
        for (op, target), entries in pm_pass.patterns.items():
            print(f"# Patterns for op: ({op!r}, {'operator.getitem' if target is operator.getitem else target})")
            for number, entry in enumerate(entries):
                text = _OVERLOAD.sub(r"torch.ops.\1.\2", PatternPrettyPrinter.run(entry.pattern))
                print(f"def pattern_{number}():\n{textwrap.indent(text, '    ')}\n    return output\n")


class VllmPatternReplacement(ABC):
    """A pattern and its replacement, as properties that return functions of tensors."""

    def __class_getitem__(cls, item):
        return cls

    @property
    @abstractmethod
    def pattern(self): ...

    @property
    @abstractmethod
    def replacement(self): ...

    @abstractmethod
    def get_inputs(self): ...

    @staticmethod
    def empty(*args, **kwargs):
        return torch.empty(*args, **{"device": "cuda", **kwargs})

    @staticmethod
    def empty_bf16(*args, **kwargs):
        return VllmPatternReplacement.empty(*args, dtype=torch.bfloat16, **kwargs)

    @staticmethod
    def empty_fp16(*args, **kwargs):
        return VllmPatternReplacement.empty(*args, dtype=torch.float16, **kwargs)

    @staticmethod
    def empty_fp32(*args, **kwargs):
        return VllmPatternReplacement.empty(*args, dtype=torch.float32, **kwargs)

    @staticmethod
    def empty_i32(*args, **kwargs):
        return VllmPatternReplacement.empty(*args, dtype=torch.int32, **kwargs)

    @staticmethod
    def empty_i64(*args, **kwargs):
        return VllmPatternReplacement.empty(*args, dtype=torch.int64, **kwargs)


def _fx_view_to_reshape(gm):
    view_to_reshape(gm)


def _remove_noop_permutes(gm):
    for node in list(gm.graph.nodes):
        if is_func(node, torch.ops.aten.permute.default) and list(node.args[1]) == list(range(len(node.args[1]))):
            node.replace_all_uses_with(node.args[0])
            gm.graph.erase_node(node)


class VllmFusionPatternMatcherPass(VllmPatternMatcherPass):
    """A pass of VllmPatternReplacement objects, which __init__ registers in order."""

    def __init__(self, config, pass_name):
        super().__init__(config)
        self.pass_name = pass_name
        self.pm_pass = PatternMatcherPass(pass_name=pass_name)
        self._pattern_replacements = []

    @enable_fake_mode
    def register(self, pr):
        pm.register_replacement(pr.pattern, pr.replacement, pr.get_inputs(), self._trace_fn, self.pm_pass)
        self._pattern_replacements.append(pr)

    def uuid(self):
        return self.hash_source(type(self), *map(type, self._pattern_replacements))

    @staticmethod
    def _trace_fn(*args, **kwargs):
        gm = pm.fwd_only(*args, **kwargs)
        _fx_view_to_reshape(gm)
        _remove_noop_permutes(gm)
        return gm

    @VllmInductorPass.time_and_log
    def __call__(self, graph):
        self.matched_count = self.pm_pass.apply(graph)
        VllmPatternMatcherPass.match_table[self.pass_name] += self.matched_count


class PrinterInductorPass(VllmInductorPass):
    def __init__(self, name, config):
        super().__init__(config)
        self.name = name

    def __call__(self, graph):
        print(f"# {self.name}\n{graph}")
