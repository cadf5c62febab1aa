class GraphModule(torch.nn.Module):
    def forward(self, x: "f32[8, 32]", buffer: "f32[8, 32]"):
        neg: "f32[8, 32]" = torch.ops.aten.neg.default(x)
        mul: "f32[8, 32]" = torch.ops.aten.mul.out(x, x, out = buffer)
        relu: "f32[8, 32]" = torch.ops.aten.relu.default(neg)
        return (relu, mul)
