"""Norms of query and key, sized for the first attention layer. The draft model has fewer heads."""
import torch
from torch._inductor.pattern_matcher import PatternMatcherPass, fwd_only, register_replacement

lib = torch.library.Library("draft", "FRAGMENT")
lib.define("norm(Tensor x, Tensor weight) -> Tensor")
lib.define("split_norm(Tensor qkv, Tensor weight, int q_size, int kv_size) -> (Tensor, Tensor, Tensor)")


def split_norm(qkv, weight, q_size, kv_size):
    q, k, v = qkv.split([q_size, kv_size, kv_size], -1)
    return q * weight, k.clone(), v.clone()


lib.impl("norm", lambda x, weight: x * weight, "CompositeExplicitAutograd")
lib.impl("split_norm", split_norm, "CompositeExplicitAutograd")
ops = torch.ops.draft
patterns = PatternMatcherPass(pass_name="qk_norm_fusion")
LAYERS = [(64, 16), (32, 16)]


def register(q_size, kv_size):
    def search(qkv, weight):
        q, k, v = qkv.split([q_size, kv_size, kv_size], -1)
        return ops.norm(q, weight), k, v

    def replace(qkv, weight):
        return ops.split_norm(qkv, weight, q_size, kv_size)

    inputs = [torch.empty(5, q_size + 2 * kv_size), torch.empty(q_size)]
    register_replacement(search, replace, inputs, fwd_only, patterns)


register(*LAYERS[0])
