"""A pattern over operators that write and return nothing: the graph has no edge between the two."""

import torch
from torch._inductor.pattern_matcher import CallFunction, KeywordArg, PatternMatcherPass, register_graph_pattern

lib = torch.library.Library("article", "FRAGMENT")
lib.define("foo_inplace(Tensor! x) -> ()")
lib.define("bar_out(Tensor x, Tensor! out) -> ()")
torch.library.register_fake("article::foo_inplace", lambda x: None, lib=lib)
torch.library.register_fake("article::bar_out", lambda x, out: None, lib=lib)
ops = torch.ops.article
patterns = PatternMatcherPass(pass_name="patterns")


@register_graph_pattern(
    CallFunction(ops.bar_out.default, CallFunction(ops.foo_inplace.default, KeywordArg("x")), KeywordArg("out")),
    pass_dict=patterns,
)
def fuse(match, x, out):
    """Expects the result of foo_inplace as an argument of bar_out. The graph passes x itself."""
