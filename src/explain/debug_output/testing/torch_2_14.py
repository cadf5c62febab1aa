import torch
from torch._inductor.pattern_matcher import PatternMatcherPass, fwd_only, register_replacement

P = PatternMatcherPass(pass_name="p")


def s1(x, y):
    return torch.relu(x + y)


def r1(x, y):
    return torch.sigmoid(x) + y


ex = [torch.empty(4, 8), torch.empty(4, 8)]
register_replacement(s1, r1, ex, fwd_only, P)


def s2(x):
    return torch.tanh(x.reshape(2, 16)) * 2.0


def r2(x):
    return x.reshape(2, 16)


register_replacement(s2, r2, [torch.empty(4, 8)], fwd_only, P)


def s3(x, y):
    a = torch.exp(x)
    return a * y


register_replacement(s3, lambda x, y: x - y, ex, fwd_only, P, extra_check=lambda m: False)


def s4(x):
    a, b = torch.split(x, 4, dim=1)
    return torch.cos(a), torch.cos(b)


def r4(x):
    a, b = torch.split(x, 4, dim=1)
    return a, b


register_replacement(s4, r4, [torch.empty(4, 8)], fwd_only, P)
