class GraphModule(torch.nn.Module):
    def forward(self, x: "f32[8, 32]", s: "f32[]"):
        mul: "f32[8, 32]" = torch.ops.aten.mul.Tensor(x, 2.0)
        relu: "f32[8, 32]" = torch.ops.aten.relu.default(mul)
        mul_1: "f32[8, 32]" = torch.ops.aten.mul.Tensor(x, 0.5)
        relu_1: "f32[8, 32]" = torch.ops.aten.relu.default(mul_1)
        mul_2: "f32[8, 32]" = torch.ops.aten.mul.Tensor(x, s)
        relu_2: "f32[8, 32]" = torch.ops.aten.relu.default(mul_2)
        return (relu, relu_1, relu_2)
