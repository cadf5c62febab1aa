class GraphModule(torch.nn.Module):
    def forward(self, arg0_1: "bf16[s72, 4096]cuda:0", arg1_1: "bf16[4096]cuda:0"):
        rms_norm: "bf16[s72, 4096]cuda:0" = torch.ops.vllm_ir.rms_norm.default(arg0_1, arg1_1, 1e-06)
        rocm_aiter_group_fp8_quant = torch.ops.vllm.rocm_aiter_group_fp8_quant.default(rms_norm, 128)
        getitem: "f8e4m3fnuz[s72, 4096]cuda:0" = rocm_aiter_group_fp8_quant[0]
        getitem_1: "f32[s72, 32]cuda:0" = rocm_aiter_group_fp8_quant[1]
        return (getitem, getitem_1)
