class GraphModule(torch.nn.Module):
    def forward(self, x: "bf16[512, 64]", y: "bf16[16, 64]"):
        mul: "bf16[512, 64]" = torch.ops.aten.mul.Tensor(x, x)
        relu: "bf16[512, 64]" = torch.ops.aten.relu.default(mul)
        mul_1: "bf16[16, 64]" = torch.ops.aten.mul.Tensor(y, y)
        relu_1: "bf16[16, 64]" = torch.ops.aten.relu.default(mul_1)
        return (relu, relu_1)
