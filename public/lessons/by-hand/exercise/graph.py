class GraphModule(torch.nn.Module):
    def forward(self, x: "f32[8, 32]", w: "f32[32]", b: "f32[32]"):
        mul: "f32[8, 32]" = torch.ops.aten.mul.Tensor(x, w)
        add: "f32[8, 32]" = torch.ops.aten.add.Tensor(b, mul)
        relu: "f32[8, 32]" = torch.ops.aten.relu.default(add)
        mul_1: "f32[8, 32]" = torch.ops.aten.mul.Tensor(relu, w)
        add_1: "f32[8, 32]" = torch.ops.aten.add.Tensor(b, mul_1)
        relu_1: "f32[8, 32]" = torch.ops.aten.relu.default(add_1)
        return (relu_1,)
