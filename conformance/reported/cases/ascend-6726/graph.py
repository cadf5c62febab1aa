class GraphModule(torch.nn.Module):
    def forward(self, x: "f32[8, 64]", weight: "f32[64]", bias: "f32[64]", scale: "f32[1]"):
        norm_bias: "f32[8, 64]" = torch.ops.nrm.norm_bias.default(x, weight, bias, 1e-06)
        mul: "f32[8, 64]" = torch.ops.aten.mul.Tensor(norm_bias, scale)
        return (mul,)
