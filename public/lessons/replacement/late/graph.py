class GraphModule(torch.nn.Module):
    def forward(self, x: "f32[8, 16]", w: "f32[16, 32]"):
        mm: "f32[8, 32]" = torch.ops.aten.mm.default(x, w)
        sum_1: "f32[32]" = torch.ops.aten.sum.dim_IntList(mm, [0])
        add: "f32[8, 32]" = torch.ops.aten.add.Tensor(mm, sum_1)
        return (mm, add)
