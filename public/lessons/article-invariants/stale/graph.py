class GraphModule(torch.nn.Module):
    def forward(self, x: "bf16[8, 32]", w: "bf16[32]"):
        mul: "bf16[8, 32]" = torch.ops.aten.mul.Tensor(x, w)
        relu: "bf16[8, 32]" = torch.ops.aten.relu.default(mul)
        neg: "bf16[8, 32]" = torch.ops.aten.neg.default(relu)
        return (neg,)
