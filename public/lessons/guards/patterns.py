import torch
from torch._inductor.pattern_matcher import PatternMatcherPass, fwd_only, register_replacement

aten = torch.ops.aten
patterns = PatternMatcherPass(pass_name="patterns")


from vllm.platforms import current_platform


def search(x):
    return torch.relu(x * x)


def replace(x):
    return x * x


def register():
    if not current_platform.is_cuda():
        return
    if not current_platform.is_device_capability(90):
        return
    register_replacement(search, replace, [torch.empty(4, 4, dtype=torch.bfloat16)], fwd_only, patterns)


register()
