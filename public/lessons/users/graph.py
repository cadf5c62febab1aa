class GraphModule(torch.nn.Module):
    def forward(self, x: "f32[8, 32]", w: "f32[32, 32]", b: "f32[32]"):
        mm: "f32[8, 32]" = torch.ops.aten.mm.default(x, w)
        add: "f32[8, 32]" = torch.ops.aten.add.Tensor(mm, b)
        relu: "f32[8, 32]" = torch.ops.aten.relu.default(add)
        mm_1: "f32[8, 32]" = torch.ops.aten.mm.default(relu, w)
        add_1: "f32[8, 32]" = torch.ops.aten.add.Tensor(mm_1, b)
        relu_1: "f32[8, 32]" = torch.ops.aten.relu.default(add_1)
        mul: "f32[8, 32]" = torch.ops.aten.mul.Tensor(relu_1, add_1)
        mm_2: "f32[8, 32]" = torch.ops.aten.mm.default(mul, w)
        add_2: "f32[8, 32]" = torch.ops.aten.add.Tensor(mm_2, b)
        relu_2: "f32[8, 32]" = torch.ops.aten.relu.default(add_2)
        return (relu_2,)
