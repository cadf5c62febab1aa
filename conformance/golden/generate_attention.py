"""Attention by PyTorch (CPU), in the form of ops.json.

usage: python3 generate_attention.py OUT_FILE [SEED]
float32 results are recorded unchanged. bfloat16 and float16 are the float64 result rounded once: PyTorch's CPU kernel rounds the
weights too, which the operator's definition does not require.
"""
import base64, json, sys
import torch
import torch.nn.functional as F

g = torch.Generator().manual_seed(int(sys.argv[2]) if len(sys.argv) > 2 else 1)
cases = []


def tensor(t):
    raw = t.contiguous().reshape(-1).view(torch.uint8).numpy().tobytes()
    return {"dtype": str(t.dtype).replace("torch.", ""), "shape": list(t.shape), "stride": list(t.stride()),
            "data": base64.b64encode(raw).decode()}


def case(op, attrs, inputs, outputs, note):
    cases.append({"op": op, "attrs": attrs, "inputs": {k: tensor(v) for k, v in inputs.items()},
                  "outputs": {k: tensor(v) for k, v in outputs.items()}, "formula": "softmax(q k^T scale + mask) v",
                  "note": note})


def rnd(*shape, dtype):
    return torch.randn(*shape, generator=g).to(dtype)


def mask_of(kind, b, h, l, s, dtype):
    if kind == "bool":
        return torch.rand(b, 1, l, s, generator=g) > 0.3
    if kind == "added":
        return rnd(1, h, l, s, dtype=dtype)
    if kind == "hidden":
        m = torch.where(torch.rand(l, s, generator=g) > 0.5, 0.0, float("-inf")).to(dtype)
        m[1] = float("-inf")
        return m
    return None


# batch, query heads, heads of keys, rows, keys, head size, value size, causal, mask
SHAPES = [(1, 2, 2, 5, 5, 8, 8, True, None), (2, 4, 4, 7, 13, 16, 16, False, None), (1, 3, 3, 67, 67, 5, 5, True, None),
          (2, 2, 2, 3, 40, 12, 12, False, "bool"), (1, 4, 4, 9, 9, 7, 7, False, "added"),
          (1, 2, 2, 3, 34, 64, 64, False, "hidden"), (1, 6, 2, 12, 12, 24, 24, True, None)]
for dtype in (torch.float32, torch.bfloat16, torch.float16):
    for b, h, kv, l, s, d, dv, causal, kind in SHAPES:
        if dtype == torch.float16 and kind:
            continue
        q, k, v = rnd(b, h, l, d, dtype=dtype), rnd(b, kv, s, d, dtype=dtype), rnd(b, kv, s, dv, dtype=dtype)
        mask = mask_of(kind, b, h, l, s, dtype)
        wide = dtype if dtype == torch.float32 else torch.float64
        wide_mask = mask.to(wide) if mask is not None and mask.dtype != torch.bool else mask
        inputs = {"query": q, "key": k, "value": v, **({} if mask is None else {"attn_mask": mask})}
        note = f"{'causal' if causal else 'all'}, mask {kind}"
        options = {"is_causal": causal, "enable_gqa": h != kv}
        out = F.scaled_dot_product_attention(q.to(wide), k.to(wide), v.to(wide), attn_mask=wide_mask, **options)
        case("aten.scaled_dot_product_attention.default", options, inputs, {"result": out.to(dtype)}, note)
        if h == kv and kind != "bool" and dtype == torch.float32:
            out, lse = torch.ops.aten._scaled_dot_product_flash_attention_for_cpu(
                q, k, v, 0.0, causal, attn_mask=mask, scale=0.3)
            case("aten._scaled_dot_product_flash_attention_for_cpu.default", {"is_causal": causal, "scale": 0.3}, inputs,
                 {"output": out, "logsumexp": lse}, note)
        if causal and dtype != torch.float32:
            # vLLM's layout: tokens first.
            by_token = [t[0].transpose(0, 1).contiguous() for t in (q, k, v)]
            inputs = dict(zip(("query", "key", "value"), by_token))
            exact = F.scaled_dot_product_attention(q.double(), k.double(), v.double(), is_causal=True, enable_gqa=h != kv)
            out = exact[0].transpose(0, 1).contiguous()
            case("vllm.unified_attention_with_output", {}, inputs, {"output": out.to(dtype)}, note)
            scale = torch.tensor([0.02])
            codes = (out.float() * (1.0 / scale)).clamp(-448, 448).to(torch.float8_e4m3fn)
            case("vllm.unified_attention_with_output", {}, {**inputs, "output_scale": scale}, {"output": codes}, note)
json.dump({"torch": torch.__version__, "cases": cases}, open(sys.argv[1], "w"))
print(len(cases))
