class GraphModule(torch.nn.Module):
    def forward(self, arg0_1: "bf16[128, 64]", arg1_1: "bf16[64, 64]", arg2_1: "bf16[128, 64]", arg3_1: "bf16[64]"):
        unquantized_gemm: "bf16[128, 64]" = torch.ops.vllm.unquantized_gemm.default(arg0_1, arg1_1)
        all_reduce: "bf16[128, 64]" = torch.ops.vllm.all_reduce.default(unquantized_gemm, 'tp:0')
        npu_add_rms_norm_bias = torch.ops._C_ascend.npu_add_rms_norm_bias.default(all_reduce, arg2_1, arg3_1)
        getitem: "bf16[128, 64]" = npu_add_rms_norm_bias[0]
        getitem_1: "bf16[128, 64]" = npu_add_rms_norm_bias[2]
        return (getitem, getitem_1)
