class GraphModule(torch.nn.Module):
    def forward(self, x: "bf16[16, 128]", w: "bf16[128]"):
        mul: "bf16[16, 128]" = torch.ops.aten.mul.Tensor(x, w)
        mul_1: "bf16[16, 128]" = torch.ops.aten.mul.Tensor(mul, w)
        return (mul_1,)
