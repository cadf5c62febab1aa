class <lambda>(torch.nn.Module):
    def forward(self, arg0_1: "f16[48, 128][128, 1]cpu", arg1_1: "f16[128][1]cpu", arg2_1: "f32[1][1]cpu", arg3_1: "f8e4m3fn[128, 128][128, 1]cpu", arg4_1: "f16[128][1]cpu", arg5_1: "f8e4m3fn[128, 128][128, 1]cpu", arg6_1: "f16[128][1]cpu", arg7_1: "f8e4m3fn[128, 128][128, 1]cpu", arg8_1: "f16[128][1]cpu", arg9_1: "f8e4m3fn[128, 128][128, 1]cpu", arg10_1: "f16[128][1]cpu", arg11_1: "f8e4m3fn[128, 128][128, 1]cpu", arg12_1: "f16[128][1]cpu", arg13_1: "f8e4m3fn[128, 128][128, 1]cpu", arg14_1: "f16[128][1]cpu", arg15_1: "f8e4m3fn[128, 128][128, 1]cpu", arg16_1: "f16[128][1]cpu", arg17_1: "f8e4m3fn[128, 128][128, 1]cpu", arg18_1: "f16[128][1]cpu", arg19_1: "f8e4m3fn[128, 128][128, 1]cpu", arg20_1: "f16[128][1]cpu", arg21_1: "f8e4m3fn[128, 128][128, 1]cpu", arg22_1: "f16[128][1]cpu", arg23_1: "f8e4m3fn[128, 128][128, 1]cpu", arg24_1: "f16[128][1]cpu", arg25_1: "f8e4m3fn[128, 128][128, 1]cpu", arg26_1: "f16[128][1]cpu"):
        # File: /home/sgl/public/examples/sglang-rms-norm-quant-fp8/fusion.py:15 in rms_norm, code: wide = x.to(torch.float32)
        convert_element_type: "f32[48, 128][128, 1]cpu" = torch.ops.prims.convert_element_type.default(arg0_1, torch.float32)

        # File: /home/sgl/public/examples/sglang-rms-norm-quant-fp8/fusion.py:16 in rms_norm, code: wide = wide * torch.rsqrt(wide.pow(2).mean(-1, keepdim=True) + eps)
        pow_1: "f32[48, 128][128, 1]cpu" = torch.ops.aten.pow.Tensor_Scalar(convert_element_type, 2)
        mean: "f32[48, 1][1, 1]cpu" = torch.ops.aten.mean.dim(pow_1, [-1], True);  pow_1 = None
        add: "f32[48, 1][1, 1]cpu" = torch.ops.aten.add.Tensor(mean, 1e-06);  mean = None
        rsqrt: "f32[48, 1][1, 1]cpu" = torch.ops.aten.rsqrt.default(add);  add = None
        mul: "f32[48, 128][128, 1]cpu" = torch.ops.aten.mul.Tensor(convert_element_type, rsqrt);  convert_element_type = rsqrt = None

        # File: /home/sgl/public/examples/sglang-rms-norm-quant-fp8/fusion.py:17 in rms_norm, code: return wide.to(x.dtype) * weight
        convert_element_type_1: "f16[48, 128][128, 1]cpu" = torch.ops.prims.convert_element_type.default(mul, torch.float16);  mul = None
        mul_1: "f16[48, 128][128, 1]cpu" = torch.ops.aten.mul.Tensor(convert_element_type_1, arg1_1);  convert_element_type_1 = arg1_1 = None

        # File: /home/sgl/public/examples/sglang-rms-norm-quant-fp8/fusion.py:21 in quantise, code: return (x.to(torch.float32) * scale.reciprocal()).clamp(-448.0, 448.0).to(FP8)
        convert_element_type_2: "f32[48, 128][128, 1]cpu" = torch.ops.prims.convert_element_type.default(mul_1, torch.float32);  mul_1 = None
        reciprocal: "f32[1][1]cpu" = torch.ops.aten.reciprocal.default(arg2_1)
        mul_2: "f32[48, 128][128, 1]cpu" = torch.ops.aten.mul.Tensor(convert_element_type_2, reciprocal);  convert_element_type_2 = reciprocal = None
        clamp_min: "f32[48, 128][128, 1]cpu" = torch.ops.aten.clamp_min.default(mul_2, -448.0);  mul_2 = None
        clamp_max: "f32[48, 128][128, 1]cpu" = torch.ops.aten.clamp_max.default(clamp_min, 448.0);  clamp_min = None
        convert_element_type_3: "f8e4m3fn[48, 128][128, 1]cpu" = torch.ops.prims.convert_element_type.default(clamp_max, torch.float8_e4m3fn);  clamp_max = None

        # File: /home/sgl/conformance/examples/record_sglang.py:106 in product, code: return kernel.fp8_scaled_mm(codes, w, scale, scale, dtype, None)
        fp8_scaled_mm: "f16[48, 128][128, 1]cpu" = torch.ops.sgl_kernel.fp8_scaled_mm.default(convert_element_type_3, arg3_1, arg2_1, arg2_1, torch.float16, None);  convert_element_type_3 = arg3_1 = None

        # File: /home/sgl/conformance/examples/record_sglang.py:194 in model, code: x = x + product(fusion.quantise(fusion.rms_norm(x, n1, 1e-6), scale), w1, scale)
        add_1: "f16[48, 128][128, 1]cpu" = torch.ops.aten.add.Tensor(arg0_1, fp8_scaled_mm);  arg0_1 = fp8_scaled_mm = None

        # File: /home/sgl/public/examples/sglang-rms-norm-quant-fp8/fusion.py:15 in rms_norm, code: wide = x.to(torch.float32)
        convert_element_type_4: "f32[48, 128][128, 1]cpu" = torch.ops.prims.convert_element_type.default(add_1, torch.float32)

        # File: /home/sgl/public/examples/sglang-rms-norm-quant-fp8/fusion.py:16 in rms_norm, code: wide = wide * torch.rsqrt(wide.pow(2).mean(-1, keepdim=True) + eps)
        pow_2: "f32[48, 128][128, 1]cpu" = torch.ops.aten.pow.Tensor_Scalar(convert_element_type_4, 2)
        mean_1: "f32[48, 1][1, 1]cpu" = torch.ops.aten.mean.dim(pow_2, [-1], True);  pow_2 = None
        add_2: "f32[48, 1][1, 1]cpu" = torch.ops.aten.add.Tensor(mean_1, 1e-05);  mean_1 = None
        rsqrt_1: "f32[48, 1][1, 1]cpu" = torch.ops.aten.rsqrt.default(add_2);  add_2 = None
        mul_3: "f32[48, 128][128, 1]cpu" = torch.ops.aten.mul.Tensor(convert_element_type_4, rsqrt_1);  convert_element_type_4 = rsqrt_1 = None

        # File: /home/sgl/public/examples/sglang-rms-norm-quant-fp8/fusion.py:17 in rms_norm, code: return wide.to(x.dtype) * weight
        convert_element_type_5: "f16[48, 128][128, 1]cpu" = torch.ops.prims.convert_element_type.default(mul_3, torch.float16);  mul_3 = None
        mul_4: "f16[48, 128][128, 1]cpu" = torch.ops.aten.mul.Tensor(convert_element_type_5, arg4_1);  convert_element_type_5 = arg4_1 = None

        # File: /home/sgl/public/examples/sglang-rms-norm-quant-fp8/fusion.py:21 in quantise, code: return (x.to(torch.float32) * scale.reciprocal()).clamp(-448.0, 448.0).to(FP8)
        convert_element_type_6: "f32[48, 128][128, 1]cpu" = torch.ops.prims.convert_element_type.default(mul_4, torch.float32);  mul_4 = None
        reciprocal_1: "f32[1][1]cpu" = torch.ops.aten.reciprocal.default(arg2_1)
        mul_5: "f32[48, 128][128, 1]cpu" = torch.ops.aten.mul.Tensor(convert_element_type_6, reciprocal_1);  convert_element_type_6 = reciprocal_1 = None
        clamp_min_1: "f32[48, 128][128, 1]cpu" = torch.ops.aten.clamp_min.default(mul_5, -448.0);  mul_5 = None
        clamp_max_1: "f32[48, 128][128, 1]cpu" = torch.ops.aten.clamp_max.default(clamp_min_1, 448.0);  clamp_min_1 = None
        convert_element_type_7: "f8e4m3fn[48, 128][128, 1]cpu" = torch.ops.prims.convert_element_type.default(clamp_max_1, torch.float8_e4m3fn);  clamp_max_1 = None

        # File: /home/sgl/conformance/examples/record_sglang.py:106 in product, code: return kernel.fp8_scaled_mm(codes, w, scale, scale, dtype, None)
        fp8_scaled_mm_1: "f16[48, 128][128, 1]cpu" = torch.ops.sgl_kernel.fp8_scaled_mm.default(convert_element_type_7, arg5_1, arg2_1, arg2_1, torch.float16, None);  convert_element_type_7 = arg5_1 = None

        # File: /home/sgl/conformance/examples/record_sglang.py:195 in model, code: x = x + product(fusion.quantise(fusion.rms_norm(x, n2, 1e-5), scale), w2, scale)
        add_3: "f16[48, 128][128, 1]cpu" = torch.ops.aten.add.Tensor(add_1, fp8_scaled_mm_1);  add_1 = fp8_scaled_mm_1 = None

        # File: /home/sgl/public/examples/sglang-rms-norm-quant-fp8/fusion.py:15 in rms_norm, code: wide = x.to(torch.float32)
        convert_element_type_8: "f32[48, 128][128, 1]cpu" = torch.ops.prims.convert_element_type.default(add_3, torch.float32)

        # File: /home/sgl/public/examples/sglang-rms-norm-quant-fp8/fusion.py:16 in rms_norm, code: wide = wide * torch.rsqrt(wide.pow(2).mean(-1, keepdim=True) + eps)
        pow_3: "f32[48, 128][128, 1]cpu" = torch.ops.aten.pow.Tensor_Scalar(convert_element_type_8, 2)
        mean_2: "f32[48, 1][1, 1]cpu" = torch.ops.aten.mean.dim(pow_3, [-1], True);  pow_3 = None
        add_4: "f32[48, 1][1, 1]cpu" = torch.ops.aten.add.Tensor(mean_2, 1e-06);  mean_2 = None
        rsqrt_2: "f32[48, 1][1, 1]cpu" = torch.ops.aten.rsqrt.default(add_4);  add_4 = None
        mul_6: "f32[48, 128][128, 1]cpu" = torch.ops.aten.mul.Tensor(convert_element_type_8, rsqrt_2);  convert_element_type_8 = rsqrt_2 = None

        # File: /home/sgl/public/examples/sglang-rms-norm-quant-fp8/fusion.py:17 in rms_norm, code: return wide.to(x.dtype) * weight
        convert_element_type_9: "f16[48, 128][128, 1]cpu" = torch.ops.prims.convert_element_type.default(mul_6, torch.float16);  mul_6 = None
        mul_7: "f16[48, 128][128, 1]cpu" = torch.ops.aten.mul.Tensor(convert_element_type_9, arg6_1);  convert_element_type_9 = arg6_1 = None

        # File: /home/sgl/public/examples/sglang-rms-norm-quant-fp8/fusion.py:21 in quantise, code: return (x.to(torch.float32) * scale.reciprocal()).clamp(-448.0, 448.0).to(FP8)
        convert_element_type_10: "f32[48, 128][128, 1]cpu" = torch.ops.prims.convert_element_type.default(mul_7, torch.float32);  mul_7 = None
        reciprocal_2: "f32[1][1]cpu" = torch.ops.aten.reciprocal.default(arg2_1)
        mul_8: "f32[48, 128][128, 1]cpu" = torch.ops.aten.mul.Tensor(convert_element_type_10, reciprocal_2);  convert_element_type_10 = reciprocal_2 = None
        clamp_min_2: "f32[48, 128][128, 1]cpu" = torch.ops.aten.clamp_min.default(mul_8, -448.0);  mul_8 = None
        clamp_max_2: "f32[48, 128][128, 1]cpu" = torch.ops.aten.clamp_max.default(clamp_min_2, 448.0);  clamp_min_2 = None
        convert_element_type_11: "f8e4m3fn[48, 128][128, 1]cpu" = torch.ops.prims.convert_element_type.default(clamp_max_2, torch.float8_e4m3fn);  clamp_max_2 = None

        # File: /home/sgl/conformance/examples/record_sglang.py:106 in product, code: return kernel.fp8_scaled_mm(codes, w, scale, scale, dtype, None)
        fp8_scaled_mm_2: "f16[48, 128][128, 1]cpu" = torch.ops.sgl_kernel.fp8_scaled_mm.default(convert_element_type_11, arg7_1, arg2_1, arg2_1, torch.float16, None);  convert_element_type_11 = arg7_1 = None

        # File: /home/sgl/conformance/examples/record_sglang.py:194 in model, code: x = x + product(fusion.quantise(fusion.rms_norm(x, n1, 1e-6), scale), w1, scale)
        add_5: "f16[48, 128][128, 1]cpu" = torch.ops.aten.add.Tensor(add_3, fp8_scaled_mm_2);  add_3 = fp8_scaled_mm_2 = None

        # File: /home/sgl/public/examples/sglang-rms-norm-quant-fp8/fusion.py:15 in rms_norm, code: wide = x.to(torch.float32)
        convert_element_type_12: "f32[48, 128][128, 1]cpu" = torch.ops.prims.convert_element_type.default(add_5, torch.float32)

        # File: /home/sgl/public/examples/sglang-rms-norm-quant-fp8/fusion.py:16 in rms_norm, code: wide = wide * torch.rsqrt(wide.pow(2).mean(-1, keepdim=True) + eps)
        pow_4: "f32[48, 128][128, 1]cpu" = torch.ops.aten.pow.Tensor_Scalar(convert_element_type_12, 2)
        mean_3: "f32[48, 1][1, 1]cpu" = torch.ops.aten.mean.dim(pow_4, [-1], True);  pow_4 = None
        add_6: "f32[48, 1][1, 1]cpu" = torch.ops.aten.add.Tensor(mean_3, 1e-05);  mean_3 = None
        rsqrt_3: "f32[48, 1][1, 1]cpu" = torch.ops.aten.rsqrt.default(add_6);  add_6 = None
        mul_9: "f32[48, 128][128, 1]cpu" = torch.ops.aten.mul.Tensor(convert_element_type_12, rsqrt_3);  convert_element_type_12 = rsqrt_3 = None

        # File: /home/sgl/public/examples/sglang-rms-norm-quant-fp8/fusion.py:17 in rms_norm, code: return wide.to(x.dtype) * weight
        convert_element_type_13: "f16[48, 128][128, 1]cpu" = torch.ops.prims.convert_element_type.default(mul_9, torch.float16);  mul_9 = None
        mul_10: "f16[48, 128][128, 1]cpu" = torch.ops.aten.mul.Tensor(convert_element_type_13, arg8_1);  convert_element_type_13 = arg8_1 = None

        # File: /home/sgl/public/examples/sglang-rms-norm-quant-fp8/fusion.py:21 in quantise, code: return (x.to(torch.float32) * scale.reciprocal()).clamp(-448.0, 448.0).to(FP8)
        convert_element_type_14: "f32[48, 128][128, 1]cpu" = torch.ops.prims.convert_element_type.default(mul_10, torch.float32);  mul_10 = None
        reciprocal_3: "f32[1][1]cpu" = torch.ops.aten.reciprocal.default(arg2_1)
        mul_11: "f32[48, 128][128, 1]cpu" = torch.ops.aten.mul.Tensor(convert_element_type_14, reciprocal_3);  convert_element_type_14 = reciprocal_3 = None
        clamp_min_3: "f32[48, 128][128, 1]cpu" = torch.ops.aten.clamp_min.default(mul_11, -448.0);  mul_11 = None
        clamp_max_3: "f32[48, 128][128, 1]cpu" = torch.ops.aten.clamp_max.default(clamp_min_3, 448.0);  clamp_min_3 = None
        convert_element_type_15: "f8e4m3fn[48, 128][128, 1]cpu" = torch.ops.prims.convert_element_type.default(clamp_max_3, torch.float8_e4m3fn);  clamp_max_3 = None

        # File: /home/sgl/conformance/examples/record_sglang.py:106 in product, code: return kernel.fp8_scaled_mm(codes, w, scale, scale, dtype, None)
        fp8_scaled_mm_3: "f16[48, 128][128, 1]cpu" = torch.ops.sgl_kernel.fp8_scaled_mm.default(convert_element_type_15, arg9_1, arg2_1, arg2_1, torch.float16, None);  convert_element_type_15 = arg9_1 = None

        # File: /home/sgl/conformance/examples/record_sglang.py:195 in model, code: x = x + product(fusion.quantise(fusion.rms_norm(x, n2, 1e-5), scale), w2, scale)
        add_7: "f16[48, 128][128, 1]cpu" = torch.ops.aten.add.Tensor(add_5, fp8_scaled_mm_3);  add_5 = fp8_scaled_mm_3 = None

        # File: /home/sgl/public/examples/sglang-rms-norm-quant-fp8/fusion.py:15 in rms_norm, code: wide = x.to(torch.float32)
        convert_element_type_16: "f32[48, 128][128, 1]cpu" = torch.ops.prims.convert_element_type.default(add_7, torch.float32)

        # File: /home/sgl/public/examples/sglang-rms-norm-quant-fp8/fusion.py:16 in rms_norm, code: wide = wide * torch.rsqrt(wide.pow(2).mean(-1, keepdim=True) + eps)
        pow_5: "f32[48, 128][128, 1]cpu" = torch.ops.aten.pow.Tensor_Scalar(convert_element_type_16, 2)
        mean_4: "f32[48, 1][1, 1]cpu" = torch.ops.aten.mean.dim(pow_5, [-1], True);  pow_5 = None
        add_8: "f32[48, 1][1, 1]cpu" = torch.ops.aten.add.Tensor(mean_4, 1e-06);  mean_4 = None
        rsqrt_4: "f32[48, 1][1, 1]cpu" = torch.ops.aten.rsqrt.default(add_8);  add_8 = None
        mul_12: "f32[48, 128][128, 1]cpu" = torch.ops.aten.mul.Tensor(convert_element_type_16, rsqrt_4);  convert_element_type_16 = rsqrt_4 = None

        # File: /home/sgl/public/examples/sglang-rms-norm-quant-fp8/fusion.py:17 in rms_norm, code: return wide.to(x.dtype) * weight
        convert_element_type_17: "f16[48, 128][128, 1]cpu" = torch.ops.prims.convert_element_type.default(mul_12, torch.float16);  mul_12 = None
        mul_13: "f16[48, 128][128, 1]cpu" = torch.ops.aten.mul.Tensor(convert_element_type_17, arg10_1);  convert_element_type_17 = arg10_1 = None

        # File: /home/sgl/public/examples/sglang-rms-norm-quant-fp8/fusion.py:21 in quantise, code: return (x.to(torch.float32) * scale.reciprocal()).clamp(-448.0, 448.0).to(FP8)
        convert_element_type_18: "f32[48, 128][128, 1]cpu" = torch.ops.prims.convert_element_type.default(mul_13, torch.float32);  mul_13 = None
        reciprocal_4: "f32[1][1]cpu" = torch.ops.aten.reciprocal.default(arg2_1)
        mul_14: "f32[48, 128][128, 1]cpu" = torch.ops.aten.mul.Tensor(convert_element_type_18, reciprocal_4);  convert_element_type_18 = reciprocal_4 = None
        clamp_min_4: "f32[48, 128][128, 1]cpu" = torch.ops.aten.clamp_min.default(mul_14, -448.0);  mul_14 = None
        clamp_max_4: "f32[48, 128][128, 1]cpu" = torch.ops.aten.clamp_max.default(clamp_min_4, 448.0);  clamp_min_4 = None
        convert_element_type_19: "f8e4m3fn[48, 128][128, 1]cpu" = torch.ops.prims.convert_element_type.default(clamp_max_4, torch.float8_e4m3fn);  clamp_max_4 = None

        # File: /home/sgl/conformance/examples/record_sglang.py:106 in product, code: return kernel.fp8_scaled_mm(codes, w, scale, scale, dtype, None)
        fp8_scaled_mm_4: "f16[48, 128][128, 1]cpu" = torch.ops.sgl_kernel.fp8_scaled_mm.default(convert_element_type_19, arg11_1, arg2_1, arg2_1, torch.float16, None);  convert_element_type_19 = arg11_1 = None

        # File: /home/sgl/conformance/examples/record_sglang.py:194 in model, code: x = x + product(fusion.quantise(fusion.rms_norm(x, n1, 1e-6), scale), w1, scale)
        add_9: "f16[48, 128][128, 1]cpu" = torch.ops.aten.add.Tensor(add_7, fp8_scaled_mm_4);  add_7 = fp8_scaled_mm_4 = None

        # File: /home/sgl/public/examples/sglang-rms-norm-quant-fp8/fusion.py:15 in rms_norm, code: wide = x.to(torch.float32)
        convert_element_type_20: "f32[48, 128][128, 1]cpu" = torch.ops.prims.convert_element_type.default(add_9, torch.float32)

        # File: /home/sgl/public/examples/sglang-rms-norm-quant-fp8/fusion.py:16 in rms_norm, code: wide = wide * torch.rsqrt(wide.pow(2).mean(-1, keepdim=True) + eps)
        pow_6: "f32[48, 128][128, 1]cpu" = torch.ops.aten.pow.Tensor_Scalar(convert_element_type_20, 2)
        mean_5: "f32[48, 1][1, 1]cpu" = torch.ops.aten.mean.dim(pow_6, [-1], True);  pow_6 = None
        add_10: "f32[48, 1][1, 1]cpu" = torch.ops.aten.add.Tensor(mean_5, 1e-05);  mean_5 = None
        rsqrt_5: "f32[48, 1][1, 1]cpu" = torch.ops.aten.rsqrt.default(add_10);  add_10 = None
        mul_15: "f32[48, 128][128, 1]cpu" = torch.ops.aten.mul.Tensor(convert_element_type_20, rsqrt_5);  convert_element_type_20 = rsqrt_5 = None

        # File: /home/sgl/public/examples/sglang-rms-norm-quant-fp8/fusion.py:17 in rms_norm, code: return wide.to(x.dtype) * weight
        convert_element_type_21: "f16[48, 128][128, 1]cpu" = torch.ops.prims.convert_element_type.default(mul_15, torch.float16);  mul_15 = None
        mul_16: "f16[48, 128][128, 1]cpu" = torch.ops.aten.mul.Tensor(convert_element_type_21, arg12_1);  convert_element_type_21 = arg12_1 = None

        # File: /home/sgl/public/examples/sglang-rms-norm-quant-fp8/fusion.py:21 in quantise, code: return (x.to(torch.float32) * scale.reciprocal()).clamp(-448.0, 448.0).to(FP8)
        convert_element_type_22: "f32[48, 128][128, 1]cpu" = torch.ops.prims.convert_element_type.default(mul_16, torch.float32);  mul_16 = None
        reciprocal_5: "f32[1][1]cpu" = torch.ops.aten.reciprocal.default(arg2_1)
        mul_17: "f32[48, 128][128, 1]cpu" = torch.ops.aten.mul.Tensor(convert_element_type_22, reciprocal_5);  convert_element_type_22 = reciprocal_5 = None
        clamp_min_5: "f32[48, 128][128, 1]cpu" = torch.ops.aten.clamp_min.default(mul_17, -448.0);  mul_17 = None
        clamp_max_5: "f32[48, 128][128, 1]cpu" = torch.ops.aten.clamp_max.default(clamp_min_5, 448.0);  clamp_min_5 = None
        convert_element_type_23: "f8e4m3fn[48, 128][128, 1]cpu" = torch.ops.prims.convert_element_type.default(clamp_max_5, torch.float8_e4m3fn);  clamp_max_5 = None

        # File: /home/sgl/conformance/examples/record_sglang.py:106 in product, code: return kernel.fp8_scaled_mm(codes, w, scale, scale, dtype, None)
        fp8_scaled_mm_5: "f16[48, 128][128, 1]cpu" = torch.ops.sgl_kernel.fp8_scaled_mm.default(convert_element_type_23, arg13_1, arg2_1, arg2_1, torch.float16, None);  convert_element_type_23 = arg13_1 = None

        # File: /home/sgl/conformance/examples/record_sglang.py:195 in model, code: x = x + product(fusion.quantise(fusion.rms_norm(x, n2, 1e-5), scale), w2, scale)
        add_11: "f16[48, 128][128, 1]cpu" = torch.ops.aten.add.Tensor(add_9, fp8_scaled_mm_5);  add_9 = fp8_scaled_mm_5 = None

        # File: /home/sgl/public/examples/sglang-rms-norm-quant-fp8/fusion.py:15 in rms_norm, code: wide = x.to(torch.float32)
        convert_element_type_24: "f32[48, 128][128, 1]cpu" = torch.ops.prims.convert_element_type.default(add_11, torch.float32)

        # File: /home/sgl/public/examples/sglang-rms-norm-quant-fp8/fusion.py:16 in rms_norm, code: wide = wide * torch.rsqrt(wide.pow(2).mean(-1, keepdim=True) + eps)
        pow_7: "f32[48, 128][128, 1]cpu" = torch.ops.aten.pow.Tensor_Scalar(convert_element_type_24, 2)
        mean_6: "f32[48, 1][1, 1]cpu" = torch.ops.aten.mean.dim(pow_7, [-1], True);  pow_7 = None
        add_12: "f32[48, 1][1, 1]cpu" = torch.ops.aten.add.Tensor(mean_6, 1e-06);  mean_6 = None
        rsqrt_6: "f32[48, 1][1, 1]cpu" = torch.ops.aten.rsqrt.default(add_12);  add_12 = None
        mul_18: "f32[48, 128][128, 1]cpu" = torch.ops.aten.mul.Tensor(convert_element_type_24, rsqrt_6);  convert_element_type_24 = rsqrt_6 = None

        # File: /home/sgl/public/examples/sglang-rms-norm-quant-fp8/fusion.py:17 in rms_norm, code: return wide.to(x.dtype) * weight
        convert_element_type_25: "f16[48, 128][128, 1]cpu" = torch.ops.prims.convert_element_type.default(mul_18, torch.float16);  mul_18 = None
        mul_19: "f16[48, 128][128, 1]cpu" = torch.ops.aten.mul.Tensor(convert_element_type_25, arg14_1);  convert_element_type_25 = arg14_1 = None

        # File: /home/sgl/public/examples/sglang-rms-norm-quant-fp8/fusion.py:21 in quantise, code: return (x.to(torch.float32) * scale.reciprocal()).clamp(-448.0, 448.0).to(FP8)
        convert_element_type_26: "f32[48, 128][128, 1]cpu" = torch.ops.prims.convert_element_type.default(mul_19, torch.float32);  mul_19 = None
        reciprocal_6: "f32[1][1]cpu" = torch.ops.aten.reciprocal.default(arg2_1)
        mul_20: "f32[48, 128][128, 1]cpu" = torch.ops.aten.mul.Tensor(convert_element_type_26, reciprocal_6);  convert_element_type_26 = reciprocal_6 = None
        clamp_min_6: "f32[48, 128][128, 1]cpu" = torch.ops.aten.clamp_min.default(mul_20, -448.0);  mul_20 = None
        clamp_max_6: "f32[48, 128][128, 1]cpu" = torch.ops.aten.clamp_max.default(clamp_min_6, 448.0);  clamp_min_6 = None
        convert_element_type_27: "f8e4m3fn[48, 128][128, 1]cpu" = torch.ops.prims.convert_element_type.default(clamp_max_6, torch.float8_e4m3fn);  clamp_max_6 = None

        # File: /home/sgl/conformance/examples/record_sglang.py:106 in product, code: return kernel.fp8_scaled_mm(codes, w, scale, scale, dtype, None)
        fp8_scaled_mm_6: "f16[48, 128][128, 1]cpu" = torch.ops.sgl_kernel.fp8_scaled_mm.default(convert_element_type_27, arg15_1, arg2_1, arg2_1, torch.float16, None);  convert_element_type_27 = arg15_1 = None

        # File: /home/sgl/conformance/examples/record_sglang.py:194 in model, code: x = x + product(fusion.quantise(fusion.rms_norm(x, n1, 1e-6), scale), w1, scale)
        add_13: "f16[48, 128][128, 1]cpu" = torch.ops.aten.add.Tensor(add_11, fp8_scaled_mm_6);  add_11 = fp8_scaled_mm_6 = None

        # File: /home/sgl/public/examples/sglang-rms-norm-quant-fp8/fusion.py:15 in rms_norm, code: wide = x.to(torch.float32)
        convert_element_type_28: "f32[48, 128][128, 1]cpu" = torch.ops.prims.convert_element_type.default(add_13, torch.float32)

        # File: /home/sgl/public/examples/sglang-rms-norm-quant-fp8/fusion.py:16 in rms_norm, code: wide = wide * torch.rsqrt(wide.pow(2).mean(-1, keepdim=True) + eps)
        pow_8: "f32[48, 128][128, 1]cpu" = torch.ops.aten.pow.Tensor_Scalar(convert_element_type_28, 2)
        mean_7: "f32[48, 1][1, 1]cpu" = torch.ops.aten.mean.dim(pow_8, [-1], True);  pow_8 = None
        add_14: "f32[48, 1][1, 1]cpu" = torch.ops.aten.add.Tensor(mean_7, 1e-05);  mean_7 = None
        rsqrt_7: "f32[48, 1][1, 1]cpu" = torch.ops.aten.rsqrt.default(add_14);  add_14 = None
        mul_21: "f32[48, 128][128, 1]cpu" = torch.ops.aten.mul.Tensor(convert_element_type_28, rsqrt_7);  convert_element_type_28 = rsqrt_7 = None

        # File: /home/sgl/public/examples/sglang-rms-norm-quant-fp8/fusion.py:17 in rms_norm, code: return wide.to(x.dtype) * weight
        convert_element_type_29: "f16[48, 128][128, 1]cpu" = torch.ops.prims.convert_element_type.default(mul_21, torch.float16);  mul_21 = None
        mul_22: "f16[48, 128][128, 1]cpu" = torch.ops.aten.mul.Tensor(convert_element_type_29, arg16_1);  convert_element_type_29 = arg16_1 = None

        # File: /home/sgl/public/examples/sglang-rms-norm-quant-fp8/fusion.py:21 in quantise, code: return (x.to(torch.float32) * scale.reciprocal()).clamp(-448.0, 448.0).to(FP8)
        convert_element_type_30: "f32[48, 128][128, 1]cpu" = torch.ops.prims.convert_element_type.default(mul_22, torch.float32);  mul_22 = None
        reciprocal_7: "f32[1][1]cpu" = torch.ops.aten.reciprocal.default(arg2_1)
        mul_23: "f32[48, 128][128, 1]cpu" = torch.ops.aten.mul.Tensor(convert_element_type_30, reciprocal_7);  convert_element_type_30 = reciprocal_7 = None
        clamp_min_7: "f32[48, 128][128, 1]cpu" = torch.ops.aten.clamp_min.default(mul_23, -448.0);  mul_23 = None
        clamp_max_7: "f32[48, 128][128, 1]cpu" = torch.ops.aten.clamp_max.default(clamp_min_7, 448.0);  clamp_min_7 = None
        convert_element_type_31: "f8e4m3fn[48, 128][128, 1]cpu" = torch.ops.prims.convert_element_type.default(clamp_max_7, torch.float8_e4m3fn);  clamp_max_7 = None

        # File: /home/sgl/conformance/examples/record_sglang.py:106 in product, code: return kernel.fp8_scaled_mm(codes, w, scale, scale, dtype, None)
        fp8_scaled_mm_7: "f16[48, 128][128, 1]cpu" = torch.ops.sgl_kernel.fp8_scaled_mm.default(convert_element_type_31, arg17_1, arg2_1, arg2_1, torch.float16, None);  convert_element_type_31 = arg17_1 = None

        # File: /home/sgl/conformance/examples/record_sglang.py:195 in model, code: x = x + product(fusion.quantise(fusion.rms_norm(x, n2, 1e-5), scale), w2, scale)
        add_15: "f16[48, 128][128, 1]cpu" = torch.ops.aten.add.Tensor(add_13, fp8_scaled_mm_7);  add_13 = fp8_scaled_mm_7 = None

        # File: /home/sgl/public/examples/sglang-rms-norm-quant-fp8/fusion.py:15 in rms_norm, code: wide = x.to(torch.float32)
        convert_element_type_32: "f32[48, 128][128, 1]cpu" = torch.ops.prims.convert_element_type.default(add_15, torch.float32)

        # File: /home/sgl/public/examples/sglang-rms-norm-quant-fp8/fusion.py:16 in rms_norm, code: wide = wide * torch.rsqrt(wide.pow(2).mean(-1, keepdim=True) + eps)
        pow_9: "f32[48, 128][128, 1]cpu" = torch.ops.aten.pow.Tensor_Scalar(convert_element_type_32, 2)
        mean_8: "f32[48, 1][1, 1]cpu" = torch.ops.aten.mean.dim(pow_9, [-1], True);  pow_9 = None
        add_16: "f32[48, 1][1, 1]cpu" = torch.ops.aten.add.Tensor(mean_8, 1e-06);  mean_8 = None
        rsqrt_8: "f32[48, 1][1, 1]cpu" = torch.ops.aten.rsqrt.default(add_16);  add_16 = None
        mul_24: "f32[48, 128][128, 1]cpu" = torch.ops.aten.mul.Tensor(convert_element_type_32, rsqrt_8);  convert_element_type_32 = rsqrt_8 = None

        # File: /home/sgl/public/examples/sglang-rms-norm-quant-fp8/fusion.py:17 in rms_norm, code: return wide.to(x.dtype) * weight
        convert_element_type_33: "f16[48, 128][128, 1]cpu" = torch.ops.prims.convert_element_type.default(mul_24, torch.float16);  mul_24 = None
        mul_25: "f16[48, 128][128, 1]cpu" = torch.ops.aten.mul.Tensor(convert_element_type_33, arg18_1);  convert_element_type_33 = arg18_1 = None

        # File: /home/sgl/public/examples/sglang-rms-norm-quant-fp8/fusion.py:21 in quantise, code: return (x.to(torch.float32) * scale.reciprocal()).clamp(-448.0, 448.0).to(FP8)
        convert_element_type_34: "f32[48, 128][128, 1]cpu" = torch.ops.prims.convert_element_type.default(mul_25, torch.float32);  mul_25 = None
        reciprocal_8: "f32[1][1]cpu" = torch.ops.aten.reciprocal.default(arg2_1)
        mul_26: "f32[48, 128][128, 1]cpu" = torch.ops.aten.mul.Tensor(convert_element_type_34, reciprocal_8);  convert_element_type_34 = reciprocal_8 = None
        clamp_min_8: "f32[48, 128][128, 1]cpu" = torch.ops.aten.clamp_min.default(mul_26, -448.0);  mul_26 = None
        clamp_max_8: "f32[48, 128][128, 1]cpu" = torch.ops.aten.clamp_max.default(clamp_min_8, 448.0);  clamp_min_8 = None
        convert_element_type_35: "f8e4m3fn[48, 128][128, 1]cpu" = torch.ops.prims.convert_element_type.default(clamp_max_8, torch.float8_e4m3fn);  clamp_max_8 = None

        # File: /home/sgl/conformance/examples/record_sglang.py:106 in product, code: return kernel.fp8_scaled_mm(codes, w, scale, scale, dtype, None)
        fp8_scaled_mm_8: "f16[48, 128][128, 1]cpu" = torch.ops.sgl_kernel.fp8_scaled_mm.default(convert_element_type_35, arg19_1, arg2_1, arg2_1, torch.float16, None);  convert_element_type_35 = arg19_1 = None

        # File: /home/sgl/conformance/examples/record_sglang.py:194 in model, code: x = x + product(fusion.quantise(fusion.rms_norm(x, n1, 1e-6), scale), w1, scale)
        add_17: "f16[48, 128][128, 1]cpu" = torch.ops.aten.add.Tensor(add_15, fp8_scaled_mm_8);  add_15 = fp8_scaled_mm_8 = None

        # File: /home/sgl/public/examples/sglang-rms-norm-quant-fp8/fusion.py:15 in rms_norm, code: wide = x.to(torch.float32)
        convert_element_type_36: "f32[48, 128][128, 1]cpu" = torch.ops.prims.convert_element_type.default(add_17, torch.float32)

        # File: /home/sgl/public/examples/sglang-rms-norm-quant-fp8/fusion.py:16 in rms_norm, code: wide = wide * torch.rsqrt(wide.pow(2).mean(-1, keepdim=True) + eps)
        pow_10: "f32[48, 128][128, 1]cpu" = torch.ops.aten.pow.Tensor_Scalar(convert_element_type_36, 2)
        mean_9: "f32[48, 1][1, 1]cpu" = torch.ops.aten.mean.dim(pow_10, [-1], True);  pow_10 = None
        add_18: "f32[48, 1][1, 1]cpu" = torch.ops.aten.add.Tensor(mean_9, 1e-05);  mean_9 = None
        rsqrt_9: "f32[48, 1][1, 1]cpu" = torch.ops.aten.rsqrt.default(add_18);  add_18 = None
        mul_27: "f32[48, 128][128, 1]cpu" = torch.ops.aten.mul.Tensor(convert_element_type_36, rsqrt_9);  convert_element_type_36 = rsqrt_9 = None

        # File: /home/sgl/public/examples/sglang-rms-norm-quant-fp8/fusion.py:17 in rms_norm, code: return wide.to(x.dtype) * weight
        convert_element_type_37: "f16[48, 128][128, 1]cpu" = torch.ops.prims.convert_element_type.default(mul_27, torch.float16);  mul_27 = None
        mul_28: "f16[48, 128][128, 1]cpu" = torch.ops.aten.mul.Tensor(convert_element_type_37, arg20_1);  convert_element_type_37 = arg20_1 = None

        # File: /home/sgl/public/examples/sglang-rms-norm-quant-fp8/fusion.py:21 in quantise, code: return (x.to(torch.float32) * scale.reciprocal()).clamp(-448.0, 448.0).to(FP8)
        convert_element_type_38: "f32[48, 128][128, 1]cpu" = torch.ops.prims.convert_element_type.default(mul_28, torch.float32);  mul_28 = None
        reciprocal_9: "f32[1][1]cpu" = torch.ops.aten.reciprocal.default(arg2_1)
        mul_29: "f32[48, 128][128, 1]cpu" = torch.ops.aten.mul.Tensor(convert_element_type_38, reciprocal_9);  convert_element_type_38 = reciprocal_9 = None
        clamp_min_9: "f32[48, 128][128, 1]cpu" = torch.ops.aten.clamp_min.default(mul_29, -448.0);  mul_29 = None
        clamp_max_9: "f32[48, 128][128, 1]cpu" = torch.ops.aten.clamp_max.default(clamp_min_9, 448.0);  clamp_min_9 = None
        convert_element_type_39: "f8e4m3fn[48, 128][128, 1]cpu" = torch.ops.prims.convert_element_type.default(clamp_max_9, torch.float8_e4m3fn);  clamp_max_9 = None

        # File: /home/sgl/conformance/examples/record_sglang.py:106 in product, code: return kernel.fp8_scaled_mm(codes, w, scale, scale, dtype, None)
        fp8_scaled_mm_9: "f16[48, 128][128, 1]cpu" = torch.ops.sgl_kernel.fp8_scaled_mm.default(convert_element_type_39, arg21_1, arg2_1, arg2_1, torch.float16, None);  convert_element_type_39 = arg21_1 = None

        # File: /home/sgl/conformance/examples/record_sglang.py:195 in model, code: x = x + product(fusion.quantise(fusion.rms_norm(x, n2, 1e-5), scale), w2, scale)
        add_19: "f16[48, 128][128, 1]cpu" = torch.ops.aten.add.Tensor(add_17, fp8_scaled_mm_9);  add_17 = fp8_scaled_mm_9 = None

        # File: /home/sgl/public/examples/sglang-rms-norm-quant-fp8/fusion.py:15 in rms_norm, code: wide = x.to(torch.float32)
        convert_element_type_40: "f32[48, 128][128, 1]cpu" = torch.ops.prims.convert_element_type.default(add_19, torch.float32)

        # File: /home/sgl/public/examples/sglang-rms-norm-quant-fp8/fusion.py:16 in rms_norm, code: wide = wide * torch.rsqrt(wide.pow(2).mean(-1, keepdim=True) + eps)
        pow_11: "f32[48, 128][128, 1]cpu" = torch.ops.aten.pow.Tensor_Scalar(convert_element_type_40, 2)
        mean_10: "f32[48, 1][1, 1]cpu" = torch.ops.aten.mean.dim(pow_11, [-1], True);  pow_11 = None
        add_20: "f32[48, 1][1, 1]cpu" = torch.ops.aten.add.Tensor(mean_10, 1e-06);  mean_10 = None
        rsqrt_10: "f32[48, 1][1, 1]cpu" = torch.ops.aten.rsqrt.default(add_20);  add_20 = None
        mul_30: "f32[48, 128][128, 1]cpu" = torch.ops.aten.mul.Tensor(convert_element_type_40, rsqrt_10);  convert_element_type_40 = rsqrt_10 = None

        # File: /home/sgl/public/examples/sglang-rms-norm-quant-fp8/fusion.py:17 in rms_norm, code: return wide.to(x.dtype) * weight
        convert_element_type_41: "f16[48, 128][128, 1]cpu" = torch.ops.prims.convert_element_type.default(mul_30, torch.float16);  mul_30 = None
        mul_31: "f16[48, 128][128, 1]cpu" = torch.ops.aten.mul.Tensor(convert_element_type_41, arg22_1);  convert_element_type_41 = arg22_1 = None

        # File: /home/sgl/public/examples/sglang-rms-norm-quant-fp8/fusion.py:21 in quantise, code: return (x.to(torch.float32) * scale.reciprocal()).clamp(-448.0, 448.0).to(FP8)
        convert_element_type_42: "f32[48, 128][128, 1]cpu" = torch.ops.prims.convert_element_type.default(mul_31, torch.float32);  mul_31 = None
        reciprocal_10: "f32[1][1]cpu" = torch.ops.aten.reciprocal.default(arg2_1)
        mul_32: "f32[48, 128][128, 1]cpu" = torch.ops.aten.mul.Tensor(convert_element_type_42, reciprocal_10);  convert_element_type_42 = reciprocal_10 = None
        clamp_min_10: "f32[48, 128][128, 1]cpu" = torch.ops.aten.clamp_min.default(mul_32, -448.0);  mul_32 = None
        clamp_max_10: "f32[48, 128][128, 1]cpu" = torch.ops.aten.clamp_max.default(clamp_min_10, 448.0);  clamp_min_10 = None
        convert_element_type_43: "f8e4m3fn[48, 128][128, 1]cpu" = torch.ops.prims.convert_element_type.default(clamp_max_10, torch.float8_e4m3fn);  clamp_max_10 = None

        # File: /home/sgl/conformance/examples/record_sglang.py:106 in product, code: return kernel.fp8_scaled_mm(codes, w, scale, scale, dtype, None)
        fp8_scaled_mm_10: "f16[48, 128][128, 1]cpu" = torch.ops.sgl_kernel.fp8_scaled_mm.default(convert_element_type_43, arg23_1, arg2_1, arg2_1, torch.float16, None);  convert_element_type_43 = arg23_1 = None

        # File: /home/sgl/conformance/examples/record_sglang.py:194 in model, code: x = x + product(fusion.quantise(fusion.rms_norm(x, n1, 1e-6), scale), w1, scale)
        add_21: "f16[48, 128][128, 1]cpu" = torch.ops.aten.add.Tensor(add_19, fp8_scaled_mm_10);  add_19 = fp8_scaled_mm_10 = None

        # File: /home/sgl/public/examples/sglang-rms-norm-quant-fp8/fusion.py:15 in rms_norm, code: wide = x.to(torch.float32)
        convert_element_type_44: "f32[48, 128][128, 1]cpu" = torch.ops.prims.convert_element_type.default(add_21, torch.float32)

        # File: /home/sgl/public/examples/sglang-rms-norm-quant-fp8/fusion.py:16 in rms_norm, code: wide = wide * torch.rsqrt(wide.pow(2).mean(-1, keepdim=True) + eps)
        pow_12: "f32[48, 128][128, 1]cpu" = torch.ops.aten.pow.Tensor_Scalar(convert_element_type_44, 2)
        mean_11: "f32[48, 1][1, 1]cpu" = torch.ops.aten.mean.dim(pow_12, [-1], True);  pow_12 = None
        add_22: "f32[48, 1][1, 1]cpu" = torch.ops.aten.add.Tensor(mean_11, 1e-05);  mean_11 = None
        rsqrt_11: "f32[48, 1][1, 1]cpu" = torch.ops.aten.rsqrt.default(add_22);  add_22 = None
        mul_33: "f32[48, 128][128, 1]cpu" = torch.ops.aten.mul.Tensor(convert_element_type_44, rsqrt_11);  convert_element_type_44 = rsqrt_11 = None

        # File: /home/sgl/public/examples/sglang-rms-norm-quant-fp8/fusion.py:17 in rms_norm, code: return wide.to(x.dtype) * weight
        convert_element_type_45: "f16[48, 128][128, 1]cpu" = torch.ops.prims.convert_element_type.default(mul_33, torch.float16);  mul_33 = None
        mul_34: "f16[48, 128][128, 1]cpu" = torch.ops.aten.mul.Tensor(convert_element_type_45, arg24_1);  convert_element_type_45 = arg24_1 = None

        # File: /home/sgl/public/examples/sglang-rms-norm-quant-fp8/fusion.py:21 in quantise, code: return (x.to(torch.float32) * scale.reciprocal()).clamp(-448.0, 448.0).to(FP8)
        convert_element_type_46: "f32[48, 128][128, 1]cpu" = torch.ops.prims.convert_element_type.default(mul_34, torch.float32);  mul_34 = None
        reciprocal_11: "f32[1][1]cpu" = torch.ops.aten.reciprocal.default(arg2_1)
        mul_35: "f32[48, 128][128, 1]cpu" = torch.ops.aten.mul.Tensor(convert_element_type_46, reciprocal_11);  convert_element_type_46 = reciprocal_11 = None
        clamp_min_11: "f32[48, 128][128, 1]cpu" = torch.ops.aten.clamp_min.default(mul_35, -448.0);  mul_35 = None
        clamp_max_11: "f32[48, 128][128, 1]cpu" = torch.ops.aten.clamp_max.default(clamp_min_11, 448.0);  clamp_min_11 = None
        convert_element_type_47: "f8e4m3fn[48, 128][128, 1]cpu" = torch.ops.prims.convert_element_type.default(clamp_max_11, torch.float8_e4m3fn);  clamp_max_11 = None

        # File: /home/sgl/conformance/examples/record_sglang.py:106 in product, code: return kernel.fp8_scaled_mm(codes, w, scale, scale, dtype, None)
        fp8_scaled_mm_11: "f16[48, 128][128, 1]cpu" = torch.ops.sgl_kernel.fp8_scaled_mm.default(convert_element_type_47, arg25_1, arg2_1, arg2_1, torch.float16, None);  convert_element_type_47 = arg25_1 = None

        # File: /home/sgl/conformance/examples/record_sglang.py:195 in model, code: x = x + product(fusion.quantise(fusion.rms_norm(x, n2, 1e-5), scale), w2, scale)
        add_23: "f16[48, 128][128, 1]cpu" = torch.ops.aten.add.Tensor(add_21, fp8_scaled_mm_11);  add_21 = fp8_scaled_mm_11 = None

        # File: /home/sgl/public/examples/sglang-rms-norm-quant-fp8/fusion.py:15 in rms_norm, code: wide = x.to(torch.float32)
        convert_element_type_48: "f32[48, 128][128, 1]cpu" = torch.ops.prims.convert_element_type.default(add_23, torch.float32);  add_23 = None

        # File: /home/sgl/public/examples/sglang-rms-norm-quant-fp8/fusion.py:16 in rms_norm, code: wide = wide * torch.rsqrt(wide.pow(2).mean(-1, keepdim=True) + eps)
        pow_13: "f32[48, 128][128, 1]cpu" = torch.ops.aten.pow.Tensor_Scalar(convert_element_type_48, 2)
        mean_12: "f32[48, 1][1, 1]cpu" = torch.ops.aten.mean.dim(pow_13, [-1], True);  pow_13 = None
        add_24: "f32[48, 1][1, 1]cpu" = torch.ops.aten.add.Tensor(mean_12, 0.001);  mean_12 = None
        rsqrt_12: "f32[48, 1][1, 1]cpu" = torch.ops.aten.rsqrt.default(add_24);  add_24 = None
        mul_36: "f32[48, 128][128, 1]cpu" = torch.ops.aten.mul.Tensor(convert_element_type_48, rsqrt_12);  convert_element_type_48 = rsqrt_12 = None

        # File: /home/sgl/public/examples/sglang-rms-norm-quant-fp8/fusion.py:17 in rms_norm, code: return wide.to(x.dtype) * weight
        convert_element_type_49: "f16[48, 128][128, 1]cpu" = torch.ops.prims.convert_element_type.default(mul_36, torch.float16);  mul_36 = None
        mul_37: "f16[48, 128][128, 1]cpu" = torch.ops.aten.mul.Tensor(convert_element_type_49, arg26_1);  convert_element_type_49 = arg26_1 = None

        # File: /home/sgl/public/examples/sglang-rms-norm-quant-fp8/fusion.py:21 in quantise, code: return (x.to(torch.float32) * scale.reciprocal()).clamp(-448.0, 448.0).to(FP8)
        convert_element_type_50: "f32[48, 128][128, 1]cpu" = torch.ops.prims.convert_element_type.default(mul_37, torch.float32);  mul_37 = None
        reciprocal_12: "f32[1][1]cpu" = torch.ops.aten.reciprocal.default(arg2_1);  arg2_1 = None
        mul_38: "f32[48, 128][128, 1]cpu" = torch.ops.aten.mul.Tensor(convert_element_type_50, reciprocal_12);  convert_element_type_50 = reciprocal_12 = None
        clamp_min_12: "f32[48, 128][128, 1]cpu" = torch.ops.aten.clamp_min.default(mul_38, -448.0);  mul_38 = None
        clamp_max_12: "f32[48, 128][128, 1]cpu" = torch.ops.aten.clamp_max.default(clamp_min_12, 448.0);  clamp_min_12 = None
        convert_element_type_51: "f8e4m3fn[48, 128][128, 1]cpu" = torch.ops.prims.convert_element_type.default(clamp_max_12, torch.float8_e4m3fn);  clamp_max_12 = None
        return (convert_element_type_51,)
