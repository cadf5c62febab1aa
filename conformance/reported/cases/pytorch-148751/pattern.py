"""Two additions of which the first has another user before the second operand is defined."""
import torch
from torch._inductor.pattern_matcher import PatternMatcherPass, fwd_only, register_replacement

lib = torch.library.Library("two", "FRAGMENT")
lib.define("add_add(Tensor a, Tensor b, Tensor c) -> (Tensor, Tensor)")
lib.impl("add_add", lambda a, b, c: (a + b, a + b + c), "CompositeExplicitAutograd")
patterns = PatternMatcherPass(pass_name="add_add")


def search(a, b, c):
    total = a + b
    return total, total + c


def replace(a, b, c):
    return torch.ops.two.add_add(a, b, c)


register_replacement(search, replace, [torch.empty(4), torch.empty(4), torch.empty(4)], fwd_only, patterns)
