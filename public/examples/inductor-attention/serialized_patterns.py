"""The same patterns as pasted text: a given search_fn_pattern is not traced, neither now nor for a match.

That is how Inductor's own attention patterns come. What was left open in the text stays open: see "wrong-axis".
"""

import serialized_attention
from attention_patterns import ALL
from torch._inductor.pattern_matcher import PatternMatcherPass

serialized = PatternMatcherPass(pass_name="serialized_attention")
for attention in ALL:
    attention.register(serialized, search_fn_pattern=vars(serialized_attention)[attention.name])
