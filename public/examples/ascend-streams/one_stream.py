class <lambda>(torch.nn.Module):
    def forward(self, arg0_1: "bf16[48, 256][256, 1]cpu", arg1_1: "bf16[256][1]cpu", arg2_1: "f8e4m3fn[256, 256][256, 1]cpu", arg3_1: "bf16[256][1]cpu", arg4_1: "f8e4m3fn[256, 256][256, 1]cpu", arg5_1: "bf16[256][1]cpu", arg6_1: "f8e4m3fn[256, 256][256, 1]cpu", arg7_1: "bf16[256][1]cpu", arg8_1: "f8e4m3fn[256, 256][256, 1]cpu"):
        # File: /home/asc/conformance/examples/record_ascend_streams.py:68 in model, code: residual = torch.zeros_like(x)
        full_default: "bf16[48, 256][256, 1]cpu" = torch.ops.aten.full.default([48, 256], 0, dtype = torch.bfloat16, layout = torch.strided, device = device(type='cpu'), pin_memory = False)

        # File: /home/asc/conformance/examples/record_ascend_streams.py:70 in model, code: normed, _, residual = npu.npu_add_rms_norm(x, residual, w["norm"], eps)
        npu_add_rms_norm = torch.ops.npu.npu_add_rms_norm.default(arg0_1, full_default, arg1_1);  arg0_1 = full_default = arg1_1 = None
        getitem: "bf16[48, 256][256, 1]cpu" = npu_add_rms_norm[0]
        getitem_2: "bf16[48, 256][256, 1]cpu" = npu_add_rms_norm[2];  npu_add_rms_norm = None

        # File: /home/asc/conformance/examples/record_ascend_streams.py:71 in model, code: codes, scales = npu.npu_dynamic_mx_quant(normed, dst_type=FP8)
        npu_dynamic_mx_quant = torch.ops.npu.npu_dynamic_mx_quant.default(getitem, dst_type = torch.float8_e4m3fn);  getitem = None
        getitem_3: "f8e4m3fn[48, 256][256, 1]cpu" = npu_dynamic_mx_quant[0]
        getitem_4: "u8[48, 8][8, 1]cpu" = npu_dynamic_mx_quant[1];  npu_dynamic_mx_quant = None

        # File: /home/asc/conformance/examples/record_ascend_streams.py:72 in model, code: x = npu.npu_quant_matmul(codes, w["w"], scales)
        npu_quant_matmul: "bf16[48, 256][256, 1]cpu" = torch.ops.npu.npu_quant_matmul.default(getitem_3, arg2_1, getitem_4);  getitem_3 = arg2_1 = getitem_4 = None

        # File: /home/asc/conformance/examples/record_ascend_streams.py:70 in model, code: normed, _, residual = npu.npu_add_rms_norm(x, residual, w["norm"], eps)
        npu_add_rms_norm_1 = torch.ops.npu.npu_add_rms_norm.default(npu_quant_matmul, getitem_2, arg3_1, 1e-05);  npu_quant_matmul = getitem_2 = arg3_1 = None
        getitem_5: "bf16[48, 256][256, 1]cpu" = npu_add_rms_norm_1[0]
        getitem_7: "bf16[48, 256][256, 1]cpu" = npu_add_rms_norm_1[2];  npu_add_rms_norm_1 = None

        # File: /home/asc/conformance/examples/record_ascend_streams.py:71 in model, code: codes, scales = npu.npu_dynamic_mx_quant(normed, dst_type=FP8)
        npu_dynamic_mx_quant_1 = torch.ops.npu.npu_dynamic_mx_quant.default(getitem_5, dst_type = torch.float8_e4m3fn);  getitem_5 = None
        getitem_8: "f8e4m3fn[48, 256][256, 1]cpu" = npu_dynamic_mx_quant_1[0]
        getitem_9: "u8[48, 8][8, 1]cpu" = npu_dynamic_mx_quant_1[1];  npu_dynamic_mx_quant_1 = None

        # File: /home/asc/conformance/examples/record_ascend_streams.py:72 in model, code: x = npu.npu_quant_matmul(codes, w["w"], scales)
        npu_quant_matmul_1: "bf16[48, 256][256, 1]cpu" = torch.ops.npu.npu_quant_matmul.default(getitem_8, arg4_1, getitem_9);  getitem_8 = arg4_1 = getitem_9 = None

        # stream_label: quant # File: /home/asc/conformance/examples/record_ascend_streams.py:70 in model, code: normed, _, residual = npu.npu_add_rms_norm(x, residual, w["norm"], eps)
        npu_add_rms_norm_2 = torch.ops.npu.npu_add_rms_norm.default(npu_quant_matmul_1, getitem_7, arg5_1);  npu_quant_matmul_1 = getitem_7 = arg5_1 = None
        getitem_10: "bf16[48, 256][256, 1]cpu" = npu_add_rms_norm_2[0]
        getitem_12: "bf16[48, 256][256, 1]cpu" = npu_add_rms_norm_2[2];  npu_add_rms_norm_2 = None

        # stream_label: quant # File: /home/asc/conformance/examples/record_ascend_streams.py:71 in model, code: codes, scales = npu.npu_dynamic_mx_quant(normed, dst_type=FP8)
        npu_dynamic_mx_quant_2 = torch.ops.npu.npu_dynamic_mx_quant.default(getitem_10, dst_type = torch.float8_e4m3fn);  getitem_10 = None
        getitem_13: "f8e4m3fn[48, 256][256, 1]cpu" = npu_dynamic_mx_quant_2[0]
        getitem_14: "u8[48, 8][8, 1]cpu" = npu_dynamic_mx_quant_2[1];  npu_dynamic_mx_quant_2 = None

        # File: /home/asc/conformance/examples/record_ascend_streams.py:72 in model, code: x = npu.npu_quant_matmul(codes, w["w"], scales)
        npu_quant_matmul_2: "bf16[48, 256][256, 1]cpu" = torch.ops.npu.npu_quant_matmul.default(getitem_13, arg6_1, getitem_14);  getitem_13 = arg6_1 = getitem_14 = None

        # stream_label: quant # File: /home/asc/conformance/examples/record_ascend_streams.py:70 in model, code: normed, _, residual = npu.npu_add_rms_norm(x, residual, w["norm"], eps)
        npu_add_rms_norm_3 = torch.ops.npu.npu_add_rms_norm.default(npu_quant_matmul_2, getitem_12, arg7_1, 1e-05);  npu_quant_matmul_2 = getitem_12 = arg7_1 = None
        getitem_15: "bf16[48, 256][256, 1]cpu" = npu_add_rms_norm_3[0]
        getitem_17: "bf16[48, 256][256, 1]cpu" = npu_add_rms_norm_3[2];  npu_add_rms_norm_3 = None

        # stream_label: quant # File: /home/asc/conformance/examples/record_ascend_streams.py:71 in model, code: codes, scales = npu.npu_dynamic_mx_quant(normed, dst_type=FP8)
        npu_dynamic_mx_quant_3 = torch.ops.npu.npu_dynamic_mx_quant.default(getitem_15, dst_type = torch.float8_e4m3fn);  getitem_15 = None
        getitem_18: "f8e4m3fn[48, 256][256, 1]cpu" = npu_dynamic_mx_quant_3[0]
        getitem_19: "u8[48, 8][8, 1]cpu" = npu_dynamic_mx_quant_3[1];  npu_dynamic_mx_quant_3 = None

        # File: /home/asc/conformance/examples/record_ascend_streams.py:72 in model, code: x = npu.npu_quant_matmul(codes, w["w"], scales)
        npu_quant_matmul_3: "bf16[48, 256][256, 1]cpu" = torch.ops.npu.npu_quant_matmul.default(getitem_18, arg8_1, getitem_19);  getitem_18 = arg8_1 = getitem_19 = None
        return (npu_quant_matmul_3, getitem_17)
