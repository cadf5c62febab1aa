class <lambda>(torch.nn.Module):
    def forward(self, arg0_1: "bf16[48, 256][256, 1]cpu", arg1_1: "bf16[256][1]cpu", arg2_1: "f8e4m3fn[256, 768][768, 1]cpu", arg3_1: "bf16[256, 256][256, 1]cpu", arg4_1: "bf16[256][1]cpu", arg5_1: "f8e4m3fn[256, 1024][1024, 1]cpu", arg6_1: "bf16[512, 256][256, 1]cpu", arg7_1: "bf16[256][1]cpu", arg8_1: "f8e4m3fn[256, 768][768, 1]cpu", arg9_1: "bf16[256, 256][256, 1]cpu", arg10_1: "bf16[256][1]cpu", arg11_1: "f8e4m3fn[256, 1024][1024, 1]cpu", arg12_1: "bf16[512, 256][256, 1]cpu", arg13_1: "bf16[256][1]cpu", arg14_1: "f8e4m3fn[256, 768][768, 1]cpu", arg15_1: "bf16[256, 256][256, 1]cpu", arg16_1: "bf16[256][1]cpu", arg17_1: "f8e4m3fn[256, 1024][1024, 1]cpu", arg18_1: "bf16[512, 256][256, 1]cpu", arg19_1: "bf16[256][1]cpu", arg20_1: "f8e4m3fn[256, 768][768, 1]cpu", arg21_1: "bf16[256, 256][256, 1]cpu", arg22_1: "bf16[256][1]cpu", arg23_1: "f8e4m3fn[256, 1024][1024, 1]cpu", arg24_1: "bf16[512, 256][256, 1]cpu", arg25_1: "bf16[256][1]cpu", arg26_1: "f8e4m3fn[256, 768][768, 1]cpu", arg27_1: "bf16[256, 256][256, 1]cpu", arg28_1: "bf16[256][1]cpu", arg29_1: "f8e4m3fn[256, 1024][1024, 1]cpu", arg30_1: "bf16[512, 256][256, 1]cpu", arg31_1: "bf16[256][1]cpu", arg32_1: "f8e4m3fn[256, 768][768, 1]cpu", arg33_1: "bf16[256, 256][256, 1]cpu", arg34_1: "bf16[256][1]cpu", arg35_1: "f8e4m3fn[256, 1024][1024, 1]cpu", arg36_1: "bf16[512, 256][256, 1]cpu", arg37_1: "bf16[256][1]cpu", arg38_1: "f8e4m3fn[256, 768][768, 1]cpu", arg39_1: "bf16[256, 256][256, 1]cpu", arg40_1: "bf16[256][1]cpu", arg41_1: "f8e4m3fn[256, 1024][1024, 1]cpu", arg42_1: "bf16[512, 256][256, 1]cpu", arg43_1: "bf16[256][1]cpu", arg44_1: "f8e4m3fn[256, 768][768, 1]cpu", arg45_1: "bf16[256, 256][256, 1]cpu", arg46_1: "bf16[256][1]cpu", arg47_1: "f8e4m3fn[256, 1024][1024, 1]cpu", arg48_1: "bf16[512, 256][256, 1]cpu", arg49_1: "bf16[256][1]cpu", arg50_1: "f8e4m3fn[256, 1000][1000, 1]cpu"):
        # File: /home/exm/conformance/examples/record.py:142 in model, code: residual = torch.zeros_like(x)
        full_default: "bf16[48, 256][256, 1]cpu" = torch.ops.aten.full.default([48, 256], 0, dtype = torch.bfloat16, layout = torch.strided, device = device(type='cpu'), pin_memory = False)

        # File: /home/exm/conformance/examples/record.py:137 in norm_quant, code: out = npu.npu_add_rms_norm(x, residual, weight, eps)
        npu_add_rms_norm = torch.ops.npu.npu_add_rms_norm.default(arg0_1, full_default, arg1_1);  arg0_1 = full_default = arg1_1 = None
        getitem: "bf16[48, 256][256, 1]cpu" = npu_add_rms_norm[0]
        getitem_2: "bf16[48, 256][256, 1]cpu" = npu_add_rms_norm[2];  npu_add_rms_norm = None

        # File: /home/exm/conformance/examples/record.py:138 in norm_quant, code: q = npu.npu_dynamic_mx_quant(out[0], dst_type=FP8)
        npu_dynamic_mx_quant = torch.ops.npu.npu_dynamic_mx_quant.default(getitem, dst_type = torch.float8_e4m3fn);  getitem = None
        getitem_3: "f8e4m3fn[48, 256][256, 1]cpu" = npu_dynamic_mx_quant[0]
        getitem_4: "u8[48, 8][8, 1]cpu" = npu_dynamic_mx_quant[1];  npu_dynamic_mx_quant = None

        # File: /home/exm/conformance/examples/record.py:145 in model, code: a, b, c = npu.npu_quant_matmul(q, w["qkv"], s).split([HIDDEN, HIDDEN, HIDDEN], -1)
        npu_quant_matmul: "bf16[48, 768][768, 1]cpu" = torch.ops.npu.npu_quant_matmul.default(getitem_3, arg2_1, getitem_4);  getitem_3 = arg2_1 = getitem_4 = None
        split_with_sizes = torch.ops.aten.split_with_sizes.default(npu_quant_matmul, [256, 256, 256], -1);  npu_quant_matmul = None
        getitem_5: "bf16[48, 256][768, 1]cpu" = split_with_sizes[0]
        getitem_6: "bf16[48, 256][768, 1]cpu" = split_with_sizes[1]
        getitem_7: "bf16[48, 256][768, 1]cpu" = split_with_sizes[2];  split_with_sizes = None

        # File: /home/exm/conformance/examples/record.py:146 in model, code: x = npu.npu_fused_infer_attention_score(a, b, c) @ w["o"]
        npu_fused_infer_attention_score: "bf16[48, 256][256, 1]cpu" = torch.ops.npu.npu_fused_infer_attention_score.default(getitem_5, getitem_6, getitem_7);  getitem_5 = getitem_6 = getitem_7 = None
        mm: "bf16[48, 256][256, 1]cpu" = torch.ops.aten.mm.default(npu_fused_infer_attention_score, arg3_1);  npu_fused_infer_attention_score = arg3_1 = None

        # File: /home/exm/conformance/examples/record.py:137 in norm_quant, code: out = npu.npu_add_rms_norm(x, residual, weight, eps)
        npu_add_rms_norm_1 = torch.ops.npu.npu_add_rms_norm.default(mm, getitem_2, arg4_1);  mm = getitem_2 = arg4_1 = None
        getitem_8: "bf16[48, 256][256, 1]cpu" = npu_add_rms_norm_1[0]
        getitem_10: "bf16[48, 256][256, 1]cpu" = npu_add_rms_norm_1[2];  npu_add_rms_norm_1 = None

        # File: /home/exm/conformance/examples/record.py:138 in norm_quant, code: q = npu.npu_dynamic_mx_quant(out[0], dst_type=FP8)
        npu_dynamic_mx_quant_1 = torch.ops.npu.npu_dynamic_mx_quant.default(getitem_8, dst_type = torch.float8_e4m3fn);  getitem_8 = None
        getitem_11: "f8e4m3fn[48, 256][256, 1]cpu" = npu_dynamic_mx_quant_1[0]
        getitem_12: "u8[48, 8][8, 1]cpu" = npu_dynamic_mx_quant_1[1];  npu_dynamic_mx_quant_1 = None

        # File: /home/exm/conformance/examples/record.py:148 in model, code: x = npu.npu_swiglu(npu.npu_quant_matmul(q, w["gu"], s)) @ w["dn"]
        npu_quant_matmul_1: "bf16[48, 1024][1024, 1]cpu" = torch.ops.npu.npu_quant_matmul.default(getitem_11, arg5_1, getitem_12);  getitem_11 = arg5_1 = getitem_12 = None
        npu_swiglu: "bf16[48, 512][512, 1]cpu" = torch.ops.npu.npu_swiglu.default(npu_quant_matmul_1);  npu_quant_matmul_1 = None
        mm_1: "bf16[48, 256][256, 1]cpu" = torch.ops.aten.mm.default(npu_swiglu, arg6_1);  npu_swiglu = arg6_1 = None

        # File: /home/exm/conformance/examples/record.py:137 in norm_quant, code: out = npu.npu_add_rms_norm(x, residual, weight, eps)
        npu_add_rms_norm_2 = torch.ops.npu.npu_add_rms_norm.default(mm_1, getitem_10, arg7_1);  mm_1 = getitem_10 = arg7_1 = None
        getitem_13: "bf16[48, 256][256, 1]cpu" = npu_add_rms_norm_2[0]
        getitem_15: "bf16[48, 256][256, 1]cpu" = npu_add_rms_norm_2[2];  npu_add_rms_norm_2 = None

        # File: /home/exm/conformance/examples/record.py:138 in norm_quant, code: q = npu.npu_dynamic_mx_quant(out[0], dst_type=FP8)
        npu_dynamic_mx_quant_2 = torch.ops.npu.npu_dynamic_mx_quant.default(getitem_13, dst_type = torch.float8_e4m3fn);  getitem_13 = None
        getitem_16: "f8e4m3fn[48, 256][256, 1]cpu" = npu_dynamic_mx_quant_2[0]
        getitem_17: "u8[48, 8][8, 1]cpu" = npu_dynamic_mx_quant_2[1];  npu_dynamic_mx_quant_2 = None

        # File: /home/exm/conformance/examples/record.py:145 in model, code: a, b, c = npu.npu_quant_matmul(q, w["qkv"], s).split([HIDDEN, HIDDEN, HIDDEN], -1)
        npu_quant_matmul_2: "bf16[48, 768][768, 1]cpu" = torch.ops.npu.npu_quant_matmul.default(getitem_16, arg8_1, getitem_17);  getitem_16 = arg8_1 = getitem_17 = None
        split_with_sizes_1 = torch.ops.aten.split_with_sizes.default(npu_quant_matmul_2, [256, 256, 256], -1);  npu_quant_matmul_2 = None
        getitem_18: "bf16[48, 256][768, 1]cpu" = split_with_sizes_1[0]
        getitem_19: "bf16[48, 256][768, 1]cpu" = split_with_sizes_1[1]
        getitem_20: "bf16[48, 256][768, 1]cpu" = split_with_sizes_1[2];  split_with_sizes_1 = None

        # File: /home/exm/conformance/examples/record.py:146 in model, code: x = npu.npu_fused_infer_attention_score(a, b, c) @ w["o"]
        npu_fused_infer_attention_score_1: "bf16[48, 256][256, 1]cpu" = torch.ops.npu.npu_fused_infer_attention_score.default(getitem_18, getitem_19, getitem_20);  getitem_18 = getitem_19 = getitem_20 = None
        mm_2: "bf16[48, 256][256, 1]cpu" = torch.ops.aten.mm.default(npu_fused_infer_attention_score_1, arg9_1);  npu_fused_infer_attention_score_1 = arg9_1 = None

        # File: /home/exm/conformance/examples/record.py:137 in norm_quant, code: out = npu.npu_add_rms_norm(x, residual, weight, eps)
        npu_add_rms_norm_3 = torch.ops.npu.npu_add_rms_norm.default(mm_2, getitem_15, arg10_1);  mm_2 = getitem_15 = arg10_1 = None
        getitem_21: "bf16[48, 256][256, 1]cpu" = npu_add_rms_norm_3[0]
        getitem_23: "bf16[48, 256][256, 1]cpu" = npu_add_rms_norm_3[2];  npu_add_rms_norm_3 = None

        # File: /home/exm/conformance/examples/record.py:138 in norm_quant, code: q = npu.npu_dynamic_mx_quant(out[0], dst_type=FP8)
        npu_dynamic_mx_quant_3 = torch.ops.npu.npu_dynamic_mx_quant.default(getitem_21, dst_type = torch.float8_e4m3fn);  getitem_21 = None
        getitem_24: "f8e4m3fn[48, 256][256, 1]cpu" = npu_dynamic_mx_quant_3[0]
        getitem_25: "u8[48, 8][8, 1]cpu" = npu_dynamic_mx_quant_3[1];  npu_dynamic_mx_quant_3 = None

        # File: /home/exm/conformance/examples/record.py:148 in model, code: x = npu.npu_swiglu(npu.npu_quant_matmul(q, w["gu"], s)) @ w["dn"]
        npu_quant_matmul_3: "bf16[48, 1024][1024, 1]cpu" = torch.ops.npu.npu_quant_matmul.default(getitem_24, arg11_1, getitem_25);  getitem_24 = arg11_1 = getitem_25 = None
        npu_swiglu_1: "bf16[48, 512][512, 1]cpu" = torch.ops.npu.npu_swiglu.default(npu_quant_matmul_3);  npu_quant_matmul_3 = None
        mm_3: "bf16[48, 256][256, 1]cpu" = torch.ops.aten.mm.default(npu_swiglu_1, arg12_1);  npu_swiglu_1 = arg12_1 = None

        # File: /home/exm/conformance/examples/record.py:137 in norm_quant, code: out = npu.npu_add_rms_norm(x, residual, weight, eps)
        npu_add_rms_norm_4 = torch.ops.npu.npu_add_rms_norm.default(mm_3, getitem_23, arg13_1);  mm_3 = getitem_23 = arg13_1 = None
        getitem_26: "bf16[48, 256][256, 1]cpu" = npu_add_rms_norm_4[0]
        getitem_28: "bf16[48, 256][256, 1]cpu" = npu_add_rms_norm_4[2];  npu_add_rms_norm_4 = None

        # File: /home/exm/conformance/examples/record.py:138 in norm_quant, code: q = npu.npu_dynamic_mx_quant(out[0], dst_type=FP8)
        npu_dynamic_mx_quant_4 = torch.ops.npu.npu_dynamic_mx_quant.default(getitem_26, dst_type = torch.float8_e4m3fn);  getitem_26 = None
        getitem_29: "f8e4m3fn[48, 256][256, 1]cpu" = npu_dynamic_mx_quant_4[0]
        getitem_30: "u8[48, 8][8, 1]cpu" = npu_dynamic_mx_quant_4[1];  npu_dynamic_mx_quant_4 = None

        # File: /home/exm/conformance/examples/record.py:145 in model, code: a, b, c = npu.npu_quant_matmul(q, w["qkv"], s).split([HIDDEN, HIDDEN, HIDDEN], -1)
        npu_quant_matmul_4: "bf16[48, 768][768, 1]cpu" = torch.ops.npu.npu_quant_matmul.default(getitem_29, arg14_1, getitem_30);  getitem_29 = arg14_1 = getitem_30 = None
        split_with_sizes_2 = torch.ops.aten.split_with_sizes.default(npu_quant_matmul_4, [256, 256, 256], -1);  npu_quant_matmul_4 = None
        getitem_31: "bf16[48, 256][768, 1]cpu" = split_with_sizes_2[0]
        getitem_32: "bf16[48, 256][768, 1]cpu" = split_with_sizes_2[1]
        getitem_33: "bf16[48, 256][768, 1]cpu" = split_with_sizes_2[2];  split_with_sizes_2 = None

        # File: /home/exm/conformance/examples/record.py:146 in model, code: x = npu.npu_fused_infer_attention_score(a, b, c) @ w["o"]
        npu_fused_infer_attention_score_2: "bf16[48, 256][256, 1]cpu" = torch.ops.npu.npu_fused_infer_attention_score.default(getitem_31, getitem_32, getitem_33);  getitem_31 = getitem_32 = getitem_33 = None
        mm_4: "bf16[48, 256][256, 1]cpu" = torch.ops.aten.mm.default(npu_fused_infer_attention_score_2, arg15_1);  npu_fused_infer_attention_score_2 = arg15_1 = None

        # File: /home/exm/conformance/examples/record.py:137 in norm_quant, code: out = npu.npu_add_rms_norm(x, residual, weight, eps)
        npu_add_rms_norm_5 = torch.ops.npu.npu_add_rms_norm.default(mm_4, getitem_28, arg16_1);  mm_4 = getitem_28 = arg16_1 = None
        getitem_34: "bf16[48, 256][256, 1]cpu" = npu_add_rms_norm_5[0]
        getitem_36: "bf16[48, 256][256, 1]cpu" = npu_add_rms_norm_5[2];  npu_add_rms_norm_5 = None

        # File: /home/exm/conformance/examples/record.py:138 in norm_quant, code: q = npu.npu_dynamic_mx_quant(out[0], dst_type=FP8)
        npu_dynamic_mx_quant_5 = torch.ops.npu.npu_dynamic_mx_quant.default(getitem_34, dst_type = torch.float8_e4m3fn);  getitem_34 = None
        getitem_37: "f8e4m3fn[48, 256][256, 1]cpu" = npu_dynamic_mx_quant_5[0]
        getitem_38: "u8[48, 8][8, 1]cpu" = npu_dynamic_mx_quant_5[1];  npu_dynamic_mx_quant_5 = None

        # File: /home/exm/conformance/examples/record.py:148 in model, code: x = npu.npu_swiglu(npu.npu_quant_matmul(q, w["gu"], s)) @ w["dn"]
        npu_quant_matmul_5: "bf16[48, 1024][1024, 1]cpu" = torch.ops.npu.npu_quant_matmul.default(getitem_37, arg17_1, getitem_38);  getitem_37 = arg17_1 = getitem_38 = None
        npu_swiglu_2: "bf16[48, 512][512, 1]cpu" = torch.ops.npu.npu_swiglu.default(npu_quant_matmul_5);  npu_quant_matmul_5 = None
        mm_5: "bf16[48, 256][256, 1]cpu" = torch.ops.aten.mm.default(npu_swiglu_2, arg18_1);  npu_swiglu_2 = arg18_1 = None

        # File: /home/exm/conformance/examples/record.py:137 in norm_quant, code: out = npu.npu_add_rms_norm(x, residual, weight, eps)
        npu_add_rms_norm_6 = torch.ops.npu.npu_add_rms_norm.default(mm_5, getitem_36, arg19_1);  mm_5 = getitem_36 = arg19_1 = None
        getitem_39: "bf16[48, 256][256, 1]cpu" = npu_add_rms_norm_6[0]
        getitem_41: "bf16[48, 256][256, 1]cpu" = npu_add_rms_norm_6[2];  npu_add_rms_norm_6 = None

        # File: /home/exm/conformance/examples/record.py:138 in norm_quant, code: q = npu.npu_dynamic_mx_quant(out[0], dst_type=FP8)
        npu_dynamic_mx_quant_6 = torch.ops.npu.npu_dynamic_mx_quant.default(getitem_39, dst_type = torch.float8_e4m3fn);  getitem_39 = None
        getitem_42: "f8e4m3fn[48, 256][256, 1]cpu" = npu_dynamic_mx_quant_6[0]
        getitem_43: "u8[48, 8][8, 1]cpu" = npu_dynamic_mx_quant_6[1];  npu_dynamic_mx_quant_6 = None

        # File: /home/exm/conformance/examples/record.py:145 in model, code: a, b, c = npu.npu_quant_matmul(q, w["qkv"], s).split([HIDDEN, HIDDEN, HIDDEN], -1)
        npu_quant_matmul_6: "bf16[48, 768][768, 1]cpu" = torch.ops.npu.npu_quant_matmul.default(getitem_42, arg20_1, getitem_43);  getitem_42 = arg20_1 = getitem_43 = None
        split_with_sizes_3 = torch.ops.aten.split_with_sizes.default(npu_quant_matmul_6, [256, 256, 256], -1);  npu_quant_matmul_6 = None
        getitem_44: "bf16[48, 256][768, 1]cpu" = split_with_sizes_3[0]
        getitem_45: "bf16[48, 256][768, 1]cpu" = split_with_sizes_3[1]
        getitem_46: "bf16[48, 256][768, 1]cpu" = split_with_sizes_3[2];  split_with_sizes_3 = None

        # File: /home/exm/conformance/examples/record.py:146 in model, code: x = npu.npu_fused_infer_attention_score(a, b, c) @ w["o"]
        npu_fused_infer_attention_score_3: "bf16[48, 256][256, 1]cpu" = torch.ops.npu.npu_fused_infer_attention_score.default(getitem_44, getitem_45, getitem_46);  getitem_44 = getitem_45 = getitem_46 = None
        mm_6: "bf16[48, 256][256, 1]cpu" = torch.ops.aten.mm.default(npu_fused_infer_attention_score_3, arg21_1);  npu_fused_infer_attention_score_3 = arg21_1 = None

        # File: /home/exm/conformance/examples/record.py:137 in norm_quant, code: out = npu.npu_add_rms_norm(x, residual, weight, eps)
        npu_add_rms_norm_7 = torch.ops.npu.npu_add_rms_norm.default(mm_6, getitem_41, arg22_1);  mm_6 = getitem_41 = arg22_1 = None
        getitem_47: "bf16[48, 256][256, 1]cpu" = npu_add_rms_norm_7[0]
        getitem_49: "bf16[48, 256][256, 1]cpu" = npu_add_rms_norm_7[2];  npu_add_rms_norm_7 = None

        # File: /home/exm/conformance/examples/record.py:138 in norm_quant, code: q = npu.npu_dynamic_mx_quant(out[0], dst_type=FP8)
        npu_dynamic_mx_quant_7 = torch.ops.npu.npu_dynamic_mx_quant.default(getitem_47, dst_type = torch.float8_e4m3fn);  getitem_47 = None
        getitem_50: "f8e4m3fn[48, 256][256, 1]cpu" = npu_dynamic_mx_quant_7[0]
        getitem_51: "u8[48, 8][8, 1]cpu" = npu_dynamic_mx_quant_7[1];  npu_dynamic_mx_quant_7 = None

        # File: /home/exm/conformance/examples/record.py:148 in model, code: x = npu.npu_swiglu(npu.npu_quant_matmul(q, w["gu"], s)) @ w["dn"]
        npu_quant_matmul_7: "bf16[48, 1024][1024, 1]cpu" = torch.ops.npu.npu_quant_matmul.default(getitem_50, arg23_1, getitem_51);  getitem_50 = arg23_1 = getitem_51 = None
        npu_swiglu_3: "bf16[48, 512][512, 1]cpu" = torch.ops.npu.npu_swiglu.default(npu_quant_matmul_7);  npu_quant_matmul_7 = None
        mm_7: "bf16[48, 256][256, 1]cpu" = torch.ops.aten.mm.default(npu_swiglu_3, arg24_1);  npu_swiglu_3 = arg24_1 = None

        # File: /home/exm/conformance/examples/record.py:137 in norm_quant, code: out = npu.npu_add_rms_norm(x, residual, weight, eps)
        npu_add_rms_norm_8 = torch.ops.npu.npu_add_rms_norm.default(mm_7, getitem_49, arg25_1);  mm_7 = getitem_49 = arg25_1 = None
        getitem_52: "bf16[48, 256][256, 1]cpu" = npu_add_rms_norm_8[0]
        getitem_54: "bf16[48, 256][256, 1]cpu" = npu_add_rms_norm_8[2];  npu_add_rms_norm_8 = None

        # File: /home/exm/conformance/examples/record.py:138 in norm_quant, code: q = npu.npu_dynamic_mx_quant(out[0], dst_type=FP8)
        npu_dynamic_mx_quant_8 = torch.ops.npu.npu_dynamic_mx_quant.default(getitem_52, dst_type = torch.float8_e4m3fn);  getitem_52 = None
        getitem_55: "f8e4m3fn[48, 256][256, 1]cpu" = npu_dynamic_mx_quant_8[0]
        getitem_56: "u8[48, 8][8, 1]cpu" = npu_dynamic_mx_quant_8[1];  npu_dynamic_mx_quant_8 = None

        # File: /home/exm/conformance/examples/record.py:145 in model, code: a, b, c = npu.npu_quant_matmul(q, w["qkv"], s).split([HIDDEN, HIDDEN, HIDDEN], -1)
        npu_quant_matmul_8: "bf16[48, 768][768, 1]cpu" = torch.ops.npu.npu_quant_matmul.default(getitem_55, arg26_1, getitem_56);  getitem_55 = arg26_1 = getitem_56 = None
        split_with_sizes_4 = torch.ops.aten.split_with_sizes.default(npu_quant_matmul_8, [256, 256, 256], -1);  npu_quant_matmul_8 = None
        getitem_57: "bf16[48, 256][768, 1]cpu" = split_with_sizes_4[0]
        getitem_58: "bf16[48, 256][768, 1]cpu" = split_with_sizes_4[1]
        getitem_59: "bf16[48, 256][768, 1]cpu" = split_with_sizes_4[2];  split_with_sizes_4 = None

        # File: /home/exm/conformance/examples/record.py:146 in model, code: x = npu.npu_fused_infer_attention_score(a, b, c) @ w["o"]
        npu_fused_infer_attention_score_4: "bf16[48, 256][256, 1]cpu" = torch.ops.npu.npu_fused_infer_attention_score.default(getitem_57, getitem_58, getitem_59);  getitem_57 = getitem_58 = getitem_59 = None
        mm_8: "bf16[48, 256][256, 1]cpu" = torch.ops.aten.mm.default(npu_fused_infer_attention_score_4, arg27_1);  npu_fused_infer_attention_score_4 = arg27_1 = None

        # File: /home/exm/conformance/examples/record.py:137 in norm_quant, code: out = npu.npu_add_rms_norm(x, residual, weight, eps)
        npu_add_rms_norm_9 = torch.ops.npu.npu_add_rms_norm.default(mm_8, getitem_54, arg28_1);  mm_8 = getitem_54 = arg28_1 = None
        getitem_60: "bf16[48, 256][256, 1]cpu" = npu_add_rms_norm_9[0]
        getitem_62: "bf16[48, 256][256, 1]cpu" = npu_add_rms_norm_9[2];  npu_add_rms_norm_9 = None

        # File: /home/exm/conformance/examples/record.py:138 in norm_quant, code: q = npu.npu_dynamic_mx_quant(out[0], dst_type=FP8)
        npu_dynamic_mx_quant_9 = torch.ops.npu.npu_dynamic_mx_quant.default(getitem_60, dst_type = torch.float8_e4m3fn);  getitem_60 = None
        getitem_63: "f8e4m3fn[48, 256][256, 1]cpu" = npu_dynamic_mx_quant_9[0]
        getitem_64: "u8[48, 8][8, 1]cpu" = npu_dynamic_mx_quant_9[1];  npu_dynamic_mx_quant_9 = None

        # File: /home/exm/conformance/examples/record.py:148 in model, code: x = npu.npu_swiglu(npu.npu_quant_matmul(q, w["gu"], s)) @ w["dn"]
        npu_quant_matmul_9: "bf16[48, 1024][1024, 1]cpu" = torch.ops.npu.npu_quant_matmul.default(getitem_63, arg29_1, getitem_64);  getitem_63 = arg29_1 = getitem_64 = None
        npu_swiglu_4: "bf16[48, 512][512, 1]cpu" = torch.ops.npu.npu_swiglu.default(npu_quant_matmul_9);  npu_quant_matmul_9 = None
        mm_9: "bf16[48, 256][256, 1]cpu" = torch.ops.aten.mm.default(npu_swiglu_4, arg30_1);  npu_swiglu_4 = arg30_1 = None

        # File: /home/exm/conformance/examples/record.py:137 in norm_quant, code: out = npu.npu_add_rms_norm(x, residual, weight, eps)
        npu_add_rms_norm_10 = torch.ops.npu.npu_add_rms_norm.default(mm_9, getitem_62, arg31_1);  mm_9 = getitem_62 = arg31_1 = None
        getitem_65: "bf16[48, 256][256, 1]cpu" = npu_add_rms_norm_10[0]
        getitem_67: "bf16[48, 256][256, 1]cpu" = npu_add_rms_norm_10[2];  npu_add_rms_norm_10 = None

        # File: /home/exm/conformance/examples/record.py:138 in norm_quant, code: q = npu.npu_dynamic_mx_quant(out[0], dst_type=FP8)
        npu_dynamic_mx_quant_10 = torch.ops.npu.npu_dynamic_mx_quant.default(getitem_65, dst_type = torch.float8_e4m3fn);  getitem_65 = None
        getitem_68: "f8e4m3fn[48, 256][256, 1]cpu" = npu_dynamic_mx_quant_10[0]
        getitem_69: "u8[48, 8][8, 1]cpu" = npu_dynamic_mx_quant_10[1];  npu_dynamic_mx_quant_10 = None

        # File: /home/exm/conformance/examples/record.py:145 in model, code: a, b, c = npu.npu_quant_matmul(q, w["qkv"], s).split([HIDDEN, HIDDEN, HIDDEN], -1)
        npu_quant_matmul_10: "bf16[48, 768][768, 1]cpu" = torch.ops.npu.npu_quant_matmul.default(getitem_68, arg32_1, getitem_69);  getitem_68 = arg32_1 = getitem_69 = None
        split_with_sizes_5 = torch.ops.aten.split_with_sizes.default(npu_quant_matmul_10, [256, 256, 256], -1);  npu_quant_matmul_10 = None
        getitem_70: "bf16[48, 256][768, 1]cpu" = split_with_sizes_5[0]
        getitem_71: "bf16[48, 256][768, 1]cpu" = split_with_sizes_5[1]
        getitem_72: "bf16[48, 256][768, 1]cpu" = split_with_sizes_5[2];  split_with_sizes_5 = None

        # File: /home/exm/conformance/examples/record.py:146 in model, code: x = npu.npu_fused_infer_attention_score(a, b, c) @ w["o"]
        npu_fused_infer_attention_score_5: "bf16[48, 256][256, 1]cpu" = torch.ops.npu.npu_fused_infer_attention_score.default(getitem_70, getitem_71, getitem_72);  getitem_70 = getitem_71 = getitem_72 = None
        mm_10: "bf16[48, 256][256, 1]cpu" = torch.ops.aten.mm.default(npu_fused_infer_attention_score_5, arg33_1);  npu_fused_infer_attention_score_5 = arg33_1 = None

        # File: /home/exm/conformance/examples/record.py:137 in norm_quant, code: out = npu.npu_add_rms_norm(x, residual, weight, eps)
        npu_add_rms_norm_11 = torch.ops.npu.npu_add_rms_norm.default(mm_10, getitem_67, arg34_1);  mm_10 = getitem_67 = arg34_1 = None
        getitem_73: "bf16[48, 256][256, 1]cpu" = npu_add_rms_norm_11[0]
        getitem_75: "bf16[48, 256][256, 1]cpu" = npu_add_rms_norm_11[2];  npu_add_rms_norm_11 = None

        # File: /home/exm/conformance/examples/record.py:138 in norm_quant, code: q = npu.npu_dynamic_mx_quant(out[0], dst_type=FP8)
        npu_dynamic_mx_quant_11 = torch.ops.npu.npu_dynamic_mx_quant.default(getitem_73, dst_type = torch.float8_e4m3fn);  getitem_73 = None
        getitem_76: "f8e4m3fn[48, 256][256, 1]cpu" = npu_dynamic_mx_quant_11[0]
        getitem_77: "u8[48, 8][8, 1]cpu" = npu_dynamic_mx_quant_11[1];  npu_dynamic_mx_quant_11 = None

        # File: /home/exm/conformance/examples/record.py:148 in model, code: x = npu.npu_swiglu(npu.npu_quant_matmul(q, w["gu"], s)) @ w["dn"]
        npu_quant_matmul_11: "bf16[48, 1024][1024, 1]cpu" = torch.ops.npu.npu_quant_matmul.default(getitem_76, arg35_1, getitem_77);  getitem_76 = arg35_1 = getitem_77 = None
        npu_swiglu_5: "bf16[48, 512][512, 1]cpu" = torch.ops.npu.npu_swiglu.default(npu_quant_matmul_11);  npu_quant_matmul_11 = None
        mm_11: "bf16[48, 256][256, 1]cpu" = torch.ops.aten.mm.default(npu_swiglu_5, arg36_1);  npu_swiglu_5 = arg36_1 = None

        # File: /home/exm/conformance/examples/record.py:137 in norm_quant, code: out = npu.npu_add_rms_norm(x, residual, weight, eps)
        npu_add_rms_norm_12 = torch.ops.npu.npu_add_rms_norm.default(mm_11, getitem_75, arg37_1);  mm_11 = getitem_75 = arg37_1 = None
        getitem_78: "bf16[48, 256][256, 1]cpu" = npu_add_rms_norm_12[0]
        getitem_80: "bf16[48, 256][256, 1]cpu" = npu_add_rms_norm_12[2];  npu_add_rms_norm_12 = None

        # File: /home/exm/conformance/examples/record.py:138 in norm_quant, code: q = npu.npu_dynamic_mx_quant(out[0], dst_type=FP8)
        npu_dynamic_mx_quant_12 = torch.ops.npu.npu_dynamic_mx_quant.default(getitem_78, dst_type = torch.float8_e4m3fn);  getitem_78 = None
        getitem_81: "f8e4m3fn[48, 256][256, 1]cpu" = npu_dynamic_mx_quant_12[0]
        getitem_82: "u8[48, 8][8, 1]cpu" = npu_dynamic_mx_quant_12[1];  npu_dynamic_mx_quant_12 = None

        # File: /home/exm/conformance/examples/record.py:145 in model, code: a, b, c = npu.npu_quant_matmul(q, w["qkv"], s).split([HIDDEN, HIDDEN, HIDDEN], -1)
        npu_quant_matmul_12: "bf16[48, 768][768, 1]cpu" = torch.ops.npu.npu_quant_matmul.default(getitem_81, arg38_1, getitem_82);  getitem_81 = arg38_1 = getitem_82 = None
        split_with_sizes_6 = torch.ops.aten.split_with_sizes.default(npu_quant_matmul_12, [256, 256, 256], -1);  npu_quant_matmul_12 = None
        getitem_83: "bf16[48, 256][768, 1]cpu" = split_with_sizes_6[0]
        getitem_84: "bf16[48, 256][768, 1]cpu" = split_with_sizes_6[1]
        getitem_85: "bf16[48, 256][768, 1]cpu" = split_with_sizes_6[2];  split_with_sizes_6 = None

        # File: /home/exm/conformance/examples/record.py:146 in model, code: x = npu.npu_fused_infer_attention_score(a, b, c) @ w["o"]
        npu_fused_infer_attention_score_6: "bf16[48, 256][256, 1]cpu" = torch.ops.npu.npu_fused_infer_attention_score.default(getitem_83, getitem_84, getitem_85);  getitem_83 = getitem_84 = getitem_85 = None
        mm_12: "bf16[48, 256][256, 1]cpu" = torch.ops.aten.mm.default(npu_fused_infer_attention_score_6, arg39_1);  npu_fused_infer_attention_score_6 = arg39_1 = None

        # File: /home/exm/conformance/examples/record.py:137 in norm_quant, code: out = npu.npu_add_rms_norm(x, residual, weight, eps)
        npu_add_rms_norm_13 = torch.ops.npu.npu_add_rms_norm.default(mm_12, getitem_80, arg40_1);  mm_12 = getitem_80 = arg40_1 = None
        getitem_86: "bf16[48, 256][256, 1]cpu" = npu_add_rms_norm_13[0]
        getitem_88: "bf16[48, 256][256, 1]cpu" = npu_add_rms_norm_13[2];  npu_add_rms_norm_13 = None

        # File: /home/exm/conformance/examples/record.py:138 in norm_quant, code: q = npu.npu_dynamic_mx_quant(out[0], dst_type=FP8)
        npu_dynamic_mx_quant_13 = torch.ops.npu.npu_dynamic_mx_quant.default(getitem_86, dst_type = torch.float8_e4m3fn);  getitem_86 = None
        getitem_89: "f8e4m3fn[48, 256][256, 1]cpu" = npu_dynamic_mx_quant_13[0]
        getitem_90: "u8[48, 8][8, 1]cpu" = npu_dynamic_mx_quant_13[1];  npu_dynamic_mx_quant_13 = None

        # File: /home/exm/conformance/examples/record.py:148 in model, code: x = npu.npu_swiglu(npu.npu_quant_matmul(q, w["gu"], s)) @ w["dn"]
        npu_quant_matmul_13: "bf16[48, 1024][1024, 1]cpu" = torch.ops.npu.npu_quant_matmul.default(getitem_89, arg41_1, getitem_90);  getitem_89 = arg41_1 = getitem_90 = None
        npu_swiglu_6: "bf16[48, 512][512, 1]cpu" = torch.ops.npu.npu_swiglu.default(npu_quant_matmul_13);  npu_quant_matmul_13 = None
        mm_13: "bf16[48, 256][256, 1]cpu" = torch.ops.aten.mm.default(npu_swiglu_6, arg42_1);  npu_swiglu_6 = arg42_1 = None

        # File: /home/exm/conformance/examples/record.py:137 in norm_quant, code: out = npu.npu_add_rms_norm(x, residual, weight, eps)
        npu_add_rms_norm_14 = torch.ops.npu.npu_add_rms_norm.default(mm_13, getitem_88, arg43_1);  mm_13 = getitem_88 = arg43_1 = None
        getitem_91: "bf16[48, 256][256, 1]cpu" = npu_add_rms_norm_14[0]
        getitem_93: "bf16[48, 256][256, 1]cpu" = npu_add_rms_norm_14[2];  npu_add_rms_norm_14 = None

        # File: /home/exm/conformance/examples/record.py:138 in norm_quant, code: q = npu.npu_dynamic_mx_quant(out[0], dst_type=FP8)
        npu_dynamic_mx_quant_14 = torch.ops.npu.npu_dynamic_mx_quant.default(getitem_91, dst_type = torch.float8_e4m3fn);  getitem_91 = None
        getitem_94: "f8e4m3fn[48, 256][256, 1]cpu" = npu_dynamic_mx_quant_14[0]
        getitem_95: "u8[48, 8][8, 1]cpu" = npu_dynamic_mx_quant_14[1];  npu_dynamic_mx_quant_14 = None

        # File: /home/exm/conformance/examples/record.py:145 in model, code: a, b, c = npu.npu_quant_matmul(q, w["qkv"], s).split([HIDDEN, HIDDEN, HIDDEN], -1)
        npu_quant_matmul_14: "bf16[48, 768][768, 1]cpu" = torch.ops.npu.npu_quant_matmul.default(getitem_94, arg44_1, getitem_95);  getitem_94 = arg44_1 = getitem_95 = None
        split_with_sizes_7 = torch.ops.aten.split_with_sizes.default(npu_quant_matmul_14, [256, 256, 256], -1);  npu_quant_matmul_14 = None
        getitem_96: "bf16[48, 256][768, 1]cpu" = split_with_sizes_7[0]
        getitem_97: "bf16[48, 256][768, 1]cpu" = split_with_sizes_7[1]
        getitem_98: "bf16[48, 256][768, 1]cpu" = split_with_sizes_7[2];  split_with_sizes_7 = None

        # File: /home/exm/conformance/examples/record.py:146 in model, code: x = npu.npu_fused_infer_attention_score(a, b, c) @ w["o"]
        npu_fused_infer_attention_score_7: "bf16[48, 256][256, 1]cpu" = torch.ops.npu.npu_fused_infer_attention_score.default(getitem_96, getitem_97, getitem_98);  getitem_96 = getitem_97 = getitem_98 = None
        mm_14: "bf16[48, 256][256, 1]cpu" = torch.ops.aten.mm.default(npu_fused_infer_attention_score_7, arg45_1);  npu_fused_infer_attention_score_7 = arg45_1 = None

        # File: /home/exm/conformance/examples/record.py:137 in norm_quant, code: out = npu.npu_add_rms_norm(x, residual, weight, eps)
        npu_add_rms_norm_15 = torch.ops.npu.npu_add_rms_norm.default(mm_14, getitem_93, arg46_1);  mm_14 = getitem_93 = arg46_1 = None
        getitem_99: "bf16[48, 256][256, 1]cpu" = npu_add_rms_norm_15[0]
        getitem_101: "bf16[48, 256][256, 1]cpu" = npu_add_rms_norm_15[2];  npu_add_rms_norm_15 = None

        # File: /home/exm/conformance/examples/record.py:138 in norm_quant, code: q = npu.npu_dynamic_mx_quant(out[0], dst_type=FP8)
        npu_dynamic_mx_quant_15 = torch.ops.npu.npu_dynamic_mx_quant.default(getitem_99, dst_type = torch.float8_e4m3fn);  getitem_99 = None
        getitem_102: "f8e4m3fn[48, 256][256, 1]cpu" = npu_dynamic_mx_quant_15[0]
        getitem_103: "u8[48, 8][8, 1]cpu" = npu_dynamic_mx_quant_15[1];  npu_dynamic_mx_quant_15 = None

        # File: /home/exm/conformance/examples/record.py:148 in model, code: x = npu.npu_swiglu(npu.npu_quant_matmul(q, w["gu"], s)) @ w["dn"]
        npu_quant_matmul_15: "bf16[48, 1024][1024, 1]cpu" = torch.ops.npu.npu_quant_matmul.default(getitem_102, arg47_1, getitem_103);  getitem_102 = arg47_1 = getitem_103 = None
        npu_swiglu_7: "bf16[48, 512][512, 1]cpu" = torch.ops.npu.npu_swiglu.default(npu_quant_matmul_15);  npu_quant_matmul_15 = None
        mm_15: "bf16[48, 256][256, 1]cpu" = torch.ops.aten.mm.default(npu_swiglu_7, arg48_1);  npu_swiglu_7 = arg48_1 = None

        # File: /home/exm/conformance/examples/record.py:137 in norm_quant, code: out = npu.npu_add_rms_norm(x, residual, weight, eps)
        npu_add_rms_norm_16 = torch.ops.npu.npu_add_rms_norm.default(mm_15, getitem_101, arg49_1, 1e-05);  mm_15 = getitem_101 = arg49_1 = None
        getitem_104: "bf16[48, 256][256, 1]cpu" = npu_add_rms_norm_16[0];  npu_add_rms_norm_16 = None

        # File: /home/exm/conformance/examples/record.py:138 in norm_quant, code: q = npu.npu_dynamic_mx_quant(out[0], dst_type=FP8)
        npu_dynamic_mx_quant_16 = torch.ops.npu.npu_dynamic_mx_quant.default(getitem_104, dst_type = torch.float8_e4m3fn);  getitem_104 = None
        getitem_107: "f8e4m3fn[48, 256][256, 1]cpu" = npu_dynamic_mx_quant_16[0]
        getitem_108: "u8[48, 8][8, 1]cpu" = npu_dynamic_mx_quant_16[1];  npu_dynamic_mx_quant_16 = None

        # File: /home/exm/conformance/examples/record.py:150 in model, code: return npu.npu_quant_matmul(q, head, s)
        npu_quant_matmul_16: "bf16[48, 1000][1000, 1]cpu" = torch.ops.npu.npu_quant_matmul.default(getitem_107, arg50_1, getitem_108);  getitem_107 = arg50_1 = getitem_108 = None
        return (npu_quant_matmul_16,)
