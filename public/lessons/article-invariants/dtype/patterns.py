import torch
from torch._inductor.pattern_matcher import PatternMatcherPass, fwd_only, register_replacement

patterns = PatternMatcherPass(pass_name="patterns")


def search(x, w):
    return torch.relu(x * w)


def replace(x, w):
    # Computed in float32, and never cast back.
    return torch.relu(x.float() * w.float())


examples = [torch.empty(4, 4, dtype=torch.bfloat16), torch.empty(4, dtype=torch.bfloat16)]
register_replacement(search, replace, examples, fwd_only, patterns)
