class GraphModule(torch.nn.Module):
    def forward(self, arg0_1: "bf16[s72, 64]", arg1_1: "bf16[s72, 64]", arg2_1: "bf16[64]"):
        npu_add_rms_norm = torch.ops.npu.npu_add_rms_norm.default(arg0_1, arg1_1, arg2_1, 1e-05)
        getitem: "bf16[s72, 64]" = npu_add_rms_norm[0]
        getitem_1: "bf16[s72, 64]" = npu_add_rms_norm[2]
        npu_dynamic_quant = torch.ops.npu.npu_dynamic_quant.default(getitem)
        getitem_2: "i8[s72, 64]" = npu_dynamic_quant[0]
        getitem_3: "f32[s72]" = npu_dynamic_quant[1]
        return (getitem_2, getitem_3, getitem_1)
