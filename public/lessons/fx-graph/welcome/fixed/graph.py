class GraphModule(torch.nn.Module):
    def forward(self, x: "f32[8, 32]"):
        mul: "f32[8, 32]" = torch.ops.aten.mul.Tensor(x, 2)
        relu: "f32[8, 32]" = torch.ops.aten.relu.default(mul)
        mul_1: "f32[8, 32]" = torch.ops.aten.mul.Tensor(relu, 2)
        relu_1: "f32[8, 32]" = torch.ops.aten.relu.default(mul_1)
        return (relu_1,)
