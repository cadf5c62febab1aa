"""What pass files take from torch._inductor.fx_passes.freezing_patterns: the passes over a frozen graph, and their decorators."""

from torch._inductor.pattern_matcher import PatternMatcherPass
from torch._inductor.pattern_matcher import _return_true, register_graph_pattern
from . import names_of

pass_patterns = [PatternMatcherPass._of_library(f"freezing_patterns.pass_patterns[{i}]") for i in range(3)]
binary_folding_pass = PatternMatcherPass._of_library("freezing_patterns.binary_folding_pass")


def register_freezing_graph_pattern(pattern, extra_check=_return_true, pass_number=0):
    pass_patterns.extend(
        PatternMatcherPass._of_library(f"freezing_patterns.pass_patterns[{i}]")
        for i in range(len(pass_patterns), pass_number + 1)
    )
    return register_graph_pattern(pattern, extra_check, pass_dict=pass_patterns[pass_number])


def register_binary_folding_pattern(pattern, extra_check=_return_true):
    return register_graph_pattern(pattern, extra_check, pass_dict=binary_folding_pass)


__getattr__ = names_of(__name__)
