"""PyTorch (CPU) results of the operators between the quantized ones: scaled products, experts, rotary embeddings.

usage: python3 generate_products.py OUT_FILE SEED
In the form of ops.json. Small and at odd sizes; each formula says whose it is. PyTorch's own operator runs where it has
one (aten._scaled_mm, topk, softmax, einsum); the rest is the formula in float32 with the roundings that it names.
"""
import base64, json, sys
import torch
import torch.nn.functional as F

out_file, seed = sys.argv[1], int(sys.argv[2])
g = torch.Generator().manual_seed(seed)
FP8, BF16, F16 = torch.float8_e4m3fn, torch.bfloat16, torch.float16
cases = []


def tensor(t):
    raw = t.contiguous().view(torch.uint8).numpy().tobytes()
    return {"dtype": str(t.dtype).replace("torch.", ""), "shape": list(t.shape), "stride": list(t.stride()),
            "data": base64.b64encode(raw).decode()}


def case(op, attrs, inputs, outputs, formula):
    cases.append({"op": op, "attrs": attrs, "inputs": {k: tensor(v) for k, v in inputs.items()},
                  "outputs": {k: tensor(v) for k, v in outputs.items()}, "formula": formula, "note": ""})


def rnd(*shape, scale=1.0, dtype=torch.float32):
    return (torch.randn(*shape, generator=g) * scale).to(dtype)


def positive(*shape):
    return torch.rand(*shape, generator=g) * 0.05 + 0.01


def spread(scales, rows, cols, block):
    """Scales of blocks, one an element."""
    return scales.repeat_interleave(block, 0)[:rows].repeat_interleave(block, 1)[:, :cols]


# Products with scales: one value, one a row and column, one a block of 128.
for m, k, n in ((5, 256, 18), (1, 136, 130)):
    a, b, bias = rnd(m, k, dtype=FP8), rnd(k, n, dtype=FP8), rnd(n, dtype=BF16)
    for sa, sb in ((positive(1), positive(1)), (positive(m, 1), positive(1, n))):
        p = a.float() @ b.float()
        case("_C.cutlass_scaled_mm", {}, {"a": a, "b": b, "a_scales": sa, "b_scales": sb, "bias": bias},
             {"out": (sa * (sb * p) + bias.float()).to(BF16)}, "T(a_scale * (b_scale * (a @ b)) + bias)")
    column_major = b.t().contiguous().t()
    if k % 16 == 0:
        b16 = b[:, : n // 16 * 16].t().contiguous().t()
        case("aten._scaled_mm.default", {"out_dtype": "bfloat16"},
             {"self": a, "mat2": b16, "scale_a": torch.tensor([0.03]), "scale_b": torch.tensor([0.05])},
             {"result": torch._scaled_mm(a, b16, torch.tensor(0.03), torch.tensor(0.05), out_dtype=BF16)},
             "aten._scaled_mm")
    blocks = lambda size: -(-size // 128)
    sa, sb = positive(m, blocks(k)), positive(blocks(k), blocks(n))
    rows = sa.repeat_interleave(128, 1)[:, :k]
    p = ((a.float() * rows) @ (b.float() * spread(sb, k, n, 128))).to(BF16)
    case("sgl_kernel.fp8_blockwise_scaled_mm", {"out_dtype": "bfloat16"},
         {"mat_a": a, "mat_b": column_major, "scales_a": sa, "scales_b": sb}, {"result": p},
         "T(sum of (scales_a * a) * (scales_b * b)), a scale a block of 128")
    weights = {"weight": b.t().contiguous(), "weight_scale": sb.t().contiguous()}
    case("vllm.w8a8_triton_block_scaled_mm_func", {"block_size": [128, 128], "output_dtype": "bfloat16"},
         {"qx": a, "x_scale": sa, **weights}, {"result": p}, "as fp8_blockwise_scaled_mm, weights [n, k]")
    case("vllm.fp8_gemm_nt_op", {"use_deep_gemm_e8m0": False}, {"q_input": a, "input_scale": sa, **weights},
         {"output": p}, "as fp8_blockwise_scaled_mm, weights [n, k]")
    case("_C.fp8_block_mm", {}, {"a": a, "b": weights["weight"], "s": sa},
         {"result": ((a.float() * rows) @ b.float()).to(BF16)}, "T(sum of (s * a) * b), weights [n, k]")
    case("_C.fp8_mm", {}, {"a": a, "b": weights["weight"], "s": sa[:, :1].contiguous()},
         {"result": (sa[:, :1] * (a.float() @ b.float())).to(BF16)}, "T(s * (a @ b)), weights [n, k]")
    exponents = torch.randint(115, 130, (m, -(-k // 32)), generator=g, dtype=torch.uint8)
    mx = torch.exp2(exponents.float() - 127).repeat_interleave(32, 1)[:, :k]
    case("npu.npu_quant_matmul", {}, {"x1": a, "x2": b, "scale": exponents},
         {"result": ((a.float() * mx) @ b.float()).to(BF16)}, "T(sum of (2^e * x1) * x2)")
    x8, w8 = (torch.randint(-128, 128, s, generator=g, dtype=torch.int8) for s in ((m, k), (k, n)))
    sw, st = positive(n) / 100, positive(m)
    case("npu.npu_quant_matmul", {"output_dtype": "float16"}, {"x1": x8, "x2": w8, "scale": sw, "pertoken_scale": st},
         {"result": (st[:, None] * (sw * (x8.float() @ w8.float()))).to(F16)}, "T(x1 @ x2 * scale * pertoken_scale)")

# A mixture of experts.
for tokens, experts, choices, d, h in ((7, 8, 2, 24, 20), (3, 5, 3, 66, 17)):
    logits = rnd(tokens, experts, scale=2.0)
    logits[0, :2] = logits[0].max() + 1  # A tie: the first of equals comes first.
    weights, ids = logits.softmax(-1).topk(choices, -1)
    ids[0, :2] = torch.tensor([0, 1])
    for renormalize in (False, True):
        w = weights / weights.sum(-1, keepdim=True) if renormalize else weights
        case("sgl_kernel.topk_softmax", {"renormalize": renormalize}, {"gating_output": logits},
             {"topk_weights": w, "topk_indices": ids.to(torch.int32)}, "softmax, topk; over the sum if renormalize")
    x, up, down = rnd(tokens, d, dtype=F16), rnd(experts, d, 2 * h, scale=0.3, dtype=F16), rnd(experts, h, d, dtype=F16)

    def grouped(x, w):
        return torch.einsum("ri,rij->rj", x.float(), w[ids.t().reshape(-1)].float()).to(F16)

    def combined(x):
        return (x.view(choices, tokens, -1) * weights.t()[..., None].to(F16)).sum(0)

    rows = x.repeat(choices, 1)
    gate_up = grouped(rows, up)
    act = F.silu(gate_up[:, :h].float()).to(F16) * gate_up[:, h:]
    made = grouped(act, down)
    case("sglang.grouped_mm", {}, {"x": rows, "w": up, "ids": ids.to(torch.int32)}, {"result": gate_up},
         "row r by the weights of expert ids[r % tokens, r / tokens]")
    case("sglang.combine", {}, {"x": made, "weights": weights}, {"result": combined(made)},
         "the choices of a token, added up by their weights")
    case("sglang.fused_experts", {"choices": choices}, {"x": x, "up": up, "down": down, "logits": logits},
         {"result": combined(made), "ids": ids.to(torch.int32)}, "the above in one")

# Rotary embeddings: each step rounded to T, or float32 angles and one rounding.
for dtype, angles in ((BF16, BF16), (F16, torch.float32)):
    for neox, rot, key_heads in ((True, 16, 1), (False, 12, 2)):
        tokens, size = 5, 16
        positions = torch.randint(0, 40, (tokens,), generator=g)
        freqs = torch.outer(torch.arange(40.0), 1.0 / 100 ** (torch.arange(rot // 2) / (rot // 2)))
        cache = torch.cat((freqs.cos(), freqs.sin()), -1).to(angles)
        cos, sin = cache[positions][:, None].chunk(2, -1)

        def rotate(x):
            x = x.view(tokens, -1, size)
            own, rest = x[..., :rot].to(angles), x[..., rot:]
            a, b = own.chunk(2, -1) if neox else (own[..., ::2], own[..., 1::2])
            pair = (a * cos - b * sin, b * cos + a * sin)
            turned = torch.cat(pair, -1) if neox else torch.stack(pair, -1).flatten(-2)
            return torch.cat((turned.to(dtype), rest), -1).flatten(1)

        q, k = rnd(tokens, 3 * size, dtype=dtype), rnd(tokens, key_heads * size, dtype=dtype)
        op = "_C.rotary_embedding" if angles == dtype else "vllm.flashinfer_rotary_embedding"
        case(op, {"head_size": size, "is_neox": neox},
             {"positions": positions, "query": q, "key": k, "cos_sin_cache": cache},
             {"query_out": rotate(q), "key_out": rotate(k)}, "x cos - y sin, y cos + x sin")

# Ranks that are buffers: this one is the first.
own, peers = rnd(6, 10, dtype=BF16), rnd(6, 2, 10, dtype=BF16)
ranks = [own, *peers.unbind(1)]
for dim in (0, 1):
    case("vllm.all_gather", {"dim": dim, "world_size": 3}, {"tensor": own, "peers": peers},
         {"result": torch.cat(ranks, dim)}, "torch.cat")
summed = sum(r.float() for r in ranks).to(BF16)
case("vllm.reduce_scatter", {"dim": 0, "world_size": 3}, {"tensor": own, "peers": peers}, {"result": summed[:2]},
     "T(sum), the first part")

# Attention of heads that lie beside each other, all of it seen, or the triangle.
q, k, v = rnd(7, 32, dtype=F16), rnd(7, 16, dtype=F16), rnd(7, 16, dtype=F16)
for mode in (0, 3):
    heads = [t.view(7, -1, 8).transpose(0, 1).float() for t in (q, k, v)]
    heads[1:] = [t.repeat_interleave(2, 0) for t in heads[1:]]
    out = F.scaled_dot_product_attention(*heads, scale=0.25, is_causal=mode == 3)
    case("npu.npu_fused_infer_attention_score",
         {"num_heads": 4, "num_key_value_heads": 2, "scale": 0.25, "sparse_mode": mode},
         {"query": q, "key": k, "value": v}, {"attention_out": out.transpose(0, 1).reshape(7, 32).to(F16)},
         "scaled_dot_product_attention")

json.dump({"torch": torch.__version__, "seed": seed, "cases": cases}, open(out_file, "w"))
print(len(cases), "cases")
