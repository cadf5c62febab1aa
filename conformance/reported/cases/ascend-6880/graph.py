class GraphModule(torch.nn.Module):
    def forward(self, positions: "i64[8]", q: "f32[8, 256]", cache: "f32[32, 64]"):
        rope: "f32[8, 256]" = torch.ops.emb.rope.default(positions, q, cache, 64, 128)
        relu: "f32[8, 256]" = torch.ops.aten.relu.default(rope)
        return (relu,)
