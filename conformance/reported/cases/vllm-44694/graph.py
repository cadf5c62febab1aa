class GraphModule(torch.nn.Module):
    def forward(self, x: "bf16[32, 2048]", weight: "bf16[2048]", scale: "f32[1]"):
        convert_element_type: "f32[2048]" = torch.ops.prims.convert_element_type.default(weight, torch.float32)
        add: "f32[2048]" = torch.ops.aten.add.Tensor(convert_element_type, 1.0)
        rms_norm: "bf16[32, 2048]" = torch.ops.ir.rms_norm.default(x, add, 1e-06)
        quant: "i8[32, 2048]" = torch.ops.ir.quant.default(rms_norm, scale)
        return (quant,)
