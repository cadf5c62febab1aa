class GraphModule(torch.nn.Module):
    def forward(self, a: "f32[8, 16]", b: "f32[16, 8]", c: "f32[8, 16]"):
        mm: "f32[8, 8]" = torch.ops.aten.mm.default(a, b)
        addmm: "f32[8, 8]" = torch.ops.aten.addmm.default(mm, c, b)
        return (addmm,)
