"""The patterns as functions: each is traced, and traced again with the shapes of every place it matches."""

from attention_patterns import ALL
from torch._inductor.pattern_matcher import PatternMatcherPass

functions = PatternMatcherPass(pass_name="attention")
for attention in ALL:
    attention.register(functions)
