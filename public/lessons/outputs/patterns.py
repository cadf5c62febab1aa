import torch
from torch._inductor.pattern_matcher import PatternMatcherPass, fwd_only, register_replacement

aten = torch.ops.aten
patterns = PatternMatcherPass(pass_name="patterns")


lib = torch.library.Library("lesson", "DEF")
lib.define("sub_max(Tensor x) -> (Tensor, Tensor)")


def fake(x):
    return torch.empty_like(x), torch.empty(x.shape[0], 1, dtype=torch.int64, device=x.device)


torch.library.register_fake("lesson::sub_max", fake, lib=lib)


def search(x):
    values, indices = torch.max(x, -1, keepdim=True)
    return x - values, indices


def replace(x):
    shifted, indices = torch.ops.lesson.sub_max(x)
    return shifted, indices


register_replacement(search, replace, [torch.empty(4, 4)], fwd_only, patterns)
