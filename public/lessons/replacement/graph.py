class GraphModule(torch.nn.Module):
    def forward(self, x: "f32[8, 16]", w: "f32[32, 16]", b: "f32[32]"):
        permute: "f32[16, 32]" = torch.ops.aten.permute.default(w, [1, 0])
        mm: "f32[8, 32]" = torch.ops.aten.mm.default(x, permute)
        add: "f32[8, 32]" = torch.ops.aten.add.Tensor(mm, b)
        relu: "f32[8, 32]" = torch.ops.aten.relu.default(add)
        return (relu,)
