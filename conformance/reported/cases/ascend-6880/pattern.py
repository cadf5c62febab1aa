"""A rotary embedding whose pattern takes the size of a head for the rotary dimension."""
import torch
from torch._inductor.pattern_matcher import PatternMatcherPass, fwd_only, register_replacement

lib = torch.library.Library("emb", "FRAGMENT")
lib.define("rope(Tensor positions, Tensor x, Tensor cache, int rotary_dim, int head_size) -> Tensor")
lib.define("rope_relu(Tensor positions, Tensor x, Tensor cache, int rotary_dim, int head_size) -> Tensor")
for name in ("rope", "rope_relu"):
    torch.library.register_fake("emb::" + name, lambda p, x, c, rotary_dim, head_size: torch.empty_like(x), lib=lib)
HEAD_SIZE = 128
patterns = PatternMatcherPass(pass_name="qk_norm_rope_fusion")


def search(positions, q, cache):
    return torch.relu(torch.ops.emb.rope(positions, q, cache, HEAD_SIZE, HEAD_SIZE))


def replace(positions, q, cache):
    return torch.ops.emb.rope_relu(positions, q, cache, HEAD_SIZE, HEAD_SIZE)


inputs = [torch.empty(5, dtype=torch.int64), torch.empty(5, 512), torch.empty(16, 64)]
register_replacement(search, replace, inputs, fwd_only, patterns)
