class GraphModule(torch.nn.Module):
    def forward(self, x: "bf16[8, 64]", scale: "f32[1]"):
        relu: "bf16[8, 64]" = torch.ops.aten.relu.default(x)
        mul: "f32[8, 64]" = torch.ops.aten.mul.Tensor(relu, scale)
        return (mul,)
