class GraphModule(torch.nn.Module):
    def forward(self, x: "f32[8, 16]", w: "f32[16, 32]", b: "f32[32]"):
        mm: "f32[8, 32]" = torch.ops.aten.mm.default(x, w)
        add: "f32[8, 32]" = torch.ops.aten.add.Tensor(mm, b)
        relu: "f32[8, 32]" = torch.ops.aten.relu.default(mm)
        sum_1: "f32[8]" = torch.ops.aten.sum.dim_IntList(relu, [1])
        return (relu, sum_1)
