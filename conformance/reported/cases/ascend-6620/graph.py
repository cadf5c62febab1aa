class GraphModule(torch.nn.Module):
    def forward(self, x: "f32[16, 64]", weight: "f32[64]", scale: "f32[1]"):
        norm_bias: "f32[16, 64]" = torch.ops.npu_ops.norm_bias.default(x, weight)
        quantize: "i8[16, 64]" = torch.ops.npu_ops.quantize.default(norm_bias, scale)
        return (quantize,)
