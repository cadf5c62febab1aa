class GraphModule(torch.nn.Module):
    def forward(self, a: "f32[1, 16]", b: "f32[16, 8]", c: "f32[4, 16]", d: "f32[16, 8]"):
        mm: "f32[1, 8]" = torch.ops.aten.mm.default(a, b)
        mm_1: "f32[4, 8]" = torch.ops.aten.mm.default(c, d)
        add: "f32[4, 8]" = torch.ops.aten.add.Tensor(mm, mm_1)
        return (add,)
