class <lambda>(torch.nn.Module):
    def forward(self, arg0_1: "f16[48, 128][128, 1]cpu", arg1_1: "f32[1][1]cpu", arg2_1: "f8e4m3fn[128, 512][512, 1]cpu", arg3_1: "f8e4m3fn[256, 128][128, 1]cpu", arg4_1: "f8e4m3fn[128, 512][512, 1]cpu", arg5_1: "f8e4m3fn[256, 128][128, 1]cpu", arg6_1: "f8e4m3fn[128, 512][512, 1]cpu", arg7_1: "f8e4m3fn[256, 128][128, 1]cpu", arg8_1: "f8e4m3fn[128, 512][512, 1]cpu", arg9_1: "f8e4m3fn[256, 128][128, 1]cpu", arg10_1: "f8e4m3fn[128, 512][512, 1]cpu", arg11_1: "f8e4m3fn[256, 128][128, 1]cpu", arg12_1: "f8e4m3fn[128, 512][512, 1]cpu", arg13_1: "f8e4m3fn[256, 128][128, 1]cpu", arg14_1: "f8e4m3fn[128, 512][512, 1]cpu", arg15_1: "f8e4m3fn[256, 128][128, 1]cpu", arg16_1: "f8e4m3fn[128, 512][512, 1]cpu", arg17_1: "f8e4m3fn[256, 128][128, 1]cpu"):
        # File: /home/sgl/conformance/examples/record_sglang.py:100 in quant, code: codes = torch.empty(x.shape, dtype=FP8)
        empty: "f8e4m3fn[48, 128][128, 1]cpu" = torch.ops.aten.empty.memory_format([48, 128], dtype = torch.float8_e4m3fn, device = device(type='cpu'), pin_memory = False)

        # File: /home/sgl/conformance/examples/record_sglang.py:101 in quant, code: kernel.sgl_per_tensor_quant_fp8(x, codes, scale, static)
        auto_functionalized_v2 = torch.ops.higher_order.auto_functionalized_v2(torch.ops.sgl_kernel.sgl_per_tensor_quant_fp8.default, input = arg0_1, output_s = arg1_1, is_static = True, _output_q_base_index = 0, _all_bases = [empty]);  empty = None
        getitem_1: "f8e4m3fn[48, 128][128, 1]cpu" = auto_functionalized_v2[1];  auto_functionalized_v2 = None

        # File: /home/sgl/conformance/examples/record_sglang.py:106 in product, code: return kernel.fp8_scaled_mm(codes, w, scale, scale, dtype, None)
        fp8_scaled_mm: "f16[48, 512][512, 1]cpu" = torch.ops.sgl_kernel.fp8_scaled_mm.default(getitem_1, arg2_1, arg1_1, arg1_1, torch.float16, None);  getitem_1 = arg2_1 = None

        # File: /home/sgl/conformance/examples/record_sglang.py:94 in silu_and_mul, code: act = torch.empty(x.shape[0], x.shape[1] // 2, dtype=x.dtype) if act is None else act
        empty_1: "f16[48, 256][256, 1]cpu" = torch.ops.aten.empty.memory_format([48, 256], dtype = torch.float16, device = device(type='cpu'), pin_memory = False)

        # File: /home/sgl/conformance/examples/record_sglang.py:95 in silu_and_mul, code: kernel.silu_and_mul(act, x)
        auto_functionalized_v2_1 = torch.ops.higher_order.auto_functionalized_v2(torch.ops.sgl_kernel.silu_and_mul.default, input = fp8_scaled_mm, _out_base_index = 0, _all_bases = [empty_1]);  fp8_scaled_mm = empty_1 = None
        getitem_3: "f16[48, 256][256, 1]cpu" = auto_functionalized_v2_1[1];  auto_functionalized_v2_1 = None

        # File: /home/sgl/conformance/examples/record_sglang.py:100 in quant, code: codes = torch.empty(x.shape, dtype=FP8)
        empty_2: "f8e4m3fn[48, 256][256, 1]cpu" = torch.ops.aten.empty.memory_format([48, 256], dtype = torch.float8_e4m3fn, device = device(type='cpu'), pin_memory = False)

        # File: /home/sgl/conformance/examples/record_sglang.py:101 in quant, code: kernel.sgl_per_tensor_quant_fp8(x, codes, scale, static)
        auto_functionalized_v2_2 = torch.ops.higher_order.auto_functionalized_v2(torch.ops.sgl_kernel.sgl_per_tensor_quant_fp8.default, input = getitem_3, output_s = arg1_1, is_static = True, _output_q_base_index = 0, _all_bases = [empty_2]);  getitem_3 = empty_2 = None
        getitem_5: "f8e4m3fn[48, 256][256, 1]cpu" = auto_functionalized_v2_2[1];  auto_functionalized_v2_2 = None

        # File: /home/sgl/conformance/examples/record_sglang.py:106 in product, code: return kernel.fp8_scaled_mm(codes, w, scale, scale, dtype, None)
        fp8_scaled_mm_1: "f16[48, 128][128, 1]cpu" = torch.ops.sgl_kernel.fp8_scaled_mm.default(getitem_5, arg3_1, arg1_1, arg1_1, torch.float16, None);  getitem_5 = arg3_1 = None

        # File: /home/sgl/conformance/examples/record_sglang.py:144 in model, code: x = x + product(quant(silu_and_mul(gate_up), scale), down, scale)
        add: "f16[48, 128][128, 1]cpu" = torch.ops.aten.add.Tensor(arg0_1, fp8_scaled_mm_1);  arg0_1 = fp8_scaled_mm_1 = None

        # File: /home/sgl/conformance/examples/record_sglang.py:100 in quant, code: codes = torch.empty(x.shape, dtype=FP8)
        empty_3: "f8e4m3fn[48, 128][128, 1]cpu" = torch.ops.aten.empty.memory_format([48, 128], dtype = torch.float8_e4m3fn, device = device(type='cpu'), pin_memory = False)

        # File: /home/sgl/conformance/examples/record_sglang.py:101 in quant, code: kernel.sgl_per_tensor_quant_fp8(x, codes, scale, static)
        auto_functionalized_v2_3 = torch.ops.higher_order.auto_functionalized_v2(torch.ops.sgl_kernel.sgl_per_tensor_quant_fp8.default, input = add, output_s = arg1_1, is_static = True, _output_q_base_index = 0, _all_bases = [empty_3]);  empty_3 = None
        getitem_7: "f8e4m3fn[48, 128][128, 1]cpu" = auto_functionalized_v2_3[1];  auto_functionalized_v2_3 = None

        # File: /home/sgl/conformance/examples/record_sglang.py:106 in product, code: return kernel.fp8_scaled_mm(codes, w, scale, scale, dtype, None)
        fp8_scaled_mm_2: "f16[48, 512][512, 1]cpu" = torch.ops.sgl_kernel.fp8_scaled_mm.default(getitem_7, arg4_1, arg1_1, arg1_1, torch.float16, None);  getitem_7 = arg4_1 = None

        # File: /home/sgl/conformance/examples/record_sglang.py:94 in silu_and_mul, code: act = torch.empty(x.shape[0], x.shape[1] // 2, dtype=x.dtype) if act is None else act
        empty_4: "f16[48, 256][256, 1]cpu" = torch.ops.aten.empty.memory_format([48, 256], dtype = torch.float16, device = device(type='cpu'), pin_memory = False)

        # File: /home/sgl/conformance/examples/record_sglang.py:95 in silu_and_mul, code: kernel.silu_and_mul(act, x)
        auto_functionalized_v2_4 = torch.ops.higher_order.auto_functionalized_v2(torch.ops.sgl_kernel.silu_and_mul.default, input = fp8_scaled_mm_2, _out_base_index = 0, _all_bases = [empty_4]);  fp8_scaled_mm_2 = empty_4 = None
        getitem_9: "f16[48, 256][256, 1]cpu" = auto_functionalized_v2_4[1];  auto_functionalized_v2_4 = None

        # File: /home/sgl/conformance/examples/record_sglang.py:100 in quant, code: codes = torch.empty(x.shape, dtype=FP8)
        empty_5: "f8e4m3fn[48, 256][256, 1]cpu" = torch.ops.aten.empty.memory_format([48, 256], dtype = torch.float8_e4m3fn, device = device(type='cpu'), pin_memory = False)

        # File: /home/sgl/conformance/examples/record_sglang.py:101 in quant, code: kernel.sgl_per_tensor_quant_fp8(x, codes, scale, static)
        auto_functionalized_v2_5 = torch.ops.higher_order.auto_functionalized_v2(torch.ops.sgl_kernel.sgl_per_tensor_quant_fp8.default, input = getitem_9, output_s = arg1_1, is_static = True, _output_q_base_index = 0, _all_bases = [empty_5]);  getitem_9 = empty_5 = None
        getitem_11: "f8e4m3fn[48, 256][256, 1]cpu" = auto_functionalized_v2_5[1];  auto_functionalized_v2_5 = None

        # File: /home/sgl/conformance/examples/record_sglang.py:106 in product, code: return kernel.fp8_scaled_mm(codes, w, scale, scale, dtype, None)
        fp8_scaled_mm_3: "f16[48, 128][128, 1]cpu" = torch.ops.sgl_kernel.fp8_scaled_mm.default(getitem_11, arg5_1, arg1_1, arg1_1, torch.float16, None);  getitem_11 = arg5_1 = None

        # File: /home/sgl/conformance/examples/record_sglang.py:144 in model, code: x = x + product(quant(silu_and_mul(gate_up), scale), down, scale)
        add_1: "f16[48, 128][128, 1]cpu" = torch.ops.aten.add.Tensor(add, fp8_scaled_mm_3);  add = fp8_scaled_mm_3 = None

        # File: /home/sgl/conformance/examples/record_sglang.py:100 in quant, code: codes = torch.empty(x.shape, dtype=FP8)
        empty_6: "f8e4m3fn[48, 128][128, 1]cpu" = torch.ops.aten.empty.memory_format([48, 128], dtype = torch.float8_e4m3fn, device = device(type='cpu'), pin_memory = False)

        # File: /home/sgl/conformance/examples/record_sglang.py:101 in quant, code: kernel.sgl_per_tensor_quant_fp8(x, codes, scale, static)
        auto_functionalized_v2_6 = torch.ops.higher_order.auto_functionalized_v2(torch.ops.sgl_kernel.sgl_per_tensor_quant_fp8.default, input = add_1, output_s = arg1_1, is_static = True, _output_q_base_index = 0, _all_bases = [empty_6]);  empty_6 = None
        getitem_13: "f8e4m3fn[48, 128][128, 1]cpu" = auto_functionalized_v2_6[1];  auto_functionalized_v2_6 = None

        # File: /home/sgl/conformance/examples/record_sglang.py:106 in product, code: return kernel.fp8_scaled_mm(codes, w, scale, scale, dtype, None)
        fp8_scaled_mm_4: "f16[48, 512][512, 1]cpu" = torch.ops.sgl_kernel.fp8_scaled_mm.default(getitem_13, arg6_1, arg1_1, arg1_1, torch.float16, None);  getitem_13 = arg6_1 = None

        # File: /home/sgl/conformance/examples/record_sglang.py:94 in silu_and_mul, code: act = torch.empty(x.shape[0], x.shape[1] // 2, dtype=x.dtype) if act is None else act
        empty_7: "f16[48, 256][256, 1]cpu" = torch.ops.aten.empty.memory_format([48, 256], dtype = torch.float16, device = device(type='cpu'), pin_memory = False)

        # File: /home/sgl/conformance/examples/record_sglang.py:95 in silu_and_mul, code: kernel.silu_and_mul(act, x)
        auto_functionalized_v2_7 = torch.ops.higher_order.auto_functionalized_v2(torch.ops.sgl_kernel.silu_and_mul.default, input = fp8_scaled_mm_4, _out_base_index = 0, _all_bases = [empty_7]);  fp8_scaled_mm_4 = empty_7 = None
        getitem_15: "f16[48, 256][256, 1]cpu" = auto_functionalized_v2_7[1];  auto_functionalized_v2_7 = None

        # File: /home/sgl/conformance/examples/record_sglang.py:100 in quant, code: codes = torch.empty(x.shape, dtype=FP8)
        empty_8: "f8e4m3fn[48, 256][256, 1]cpu" = torch.ops.aten.empty.memory_format([48, 256], dtype = torch.float8_e4m3fn, device = device(type='cpu'), pin_memory = False)

        # File: /home/sgl/conformance/examples/record_sglang.py:101 in quant, code: kernel.sgl_per_tensor_quant_fp8(x, codes, scale, static)
        auto_functionalized_v2_8 = torch.ops.higher_order.auto_functionalized_v2(torch.ops.sgl_kernel.sgl_per_tensor_quant_fp8.default, input = getitem_15, output_s = arg1_1, is_static = True, _output_q_base_index = 0, _all_bases = [empty_8]);  getitem_15 = empty_8 = None
        getitem_17: "f8e4m3fn[48, 256][256, 1]cpu" = auto_functionalized_v2_8[1];  auto_functionalized_v2_8 = None

        # File: /home/sgl/conformance/examples/record_sglang.py:106 in product, code: return kernel.fp8_scaled_mm(codes, w, scale, scale, dtype, None)
        fp8_scaled_mm_5: "f16[48, 128][128, 1]cpu" = torch.ops.sgl_kernel.fp8_scaled_mm.default(getitem_17, arg7_1, arg1_1, arg1_1, torch.float16, None);  getitem_17 = arg7_1 = None

        # File: /home/sgl/conformance/examples/record_sglang.py:144 in model, code: x = x + product(quant(silu_and_mul(gate_up), scale), down, scale)
        add_2: "f16[48, 128][128, 1]cpu" = torch.ops.aten.add.Tensor(add_1, fp8_scaled_mm_5);  add_1 = fp8_scaled_mm_5 = None

        # File: /home/sgl/conformance/examples/record_sglang.py:100 in quant, code: codes = torch.empty(x.shape, dtype=FP8)
        empty_9: "f8e4m3fn[48, 128][128, 1]cpu" = torch.ops.aten.empty.memory_format([48, 128], dtype = torch.float8_e4m3fn, device = device(type='cpu'), pin_memory = False)

        # File: /home/sgl/conformance/examples/record_sglang.py:101 in quant, code: kernel.sgl_per_tensor_quant_fp8(x, codes, scale, static)
        auto_functionalized_v2_9 = torch.ops.higher_order.auto_functionalized_v2(torch.ops.sgl_kernel.sgl_per_tensor_quant_fp8.default, input = add_2, output_s = arg1_1, is_static = True, _output_q_base_index = 0, _all_bases = [empty_9]);  empty_9 = None
        getitem_19: "f8e4m3fn[48, 128][128, 1]cpu" = auto_functionalized_v2_9[1];  auto_functionalized_v2_9 = None

        # File: /home/sgl/conformance/examples/record_sglang.py:106 in product, code: return kernel.fp8_scaled_mm(codes, w, scale, scale, dtype, None)
        fp8_scaled_mm_6: "f16[48, 512][512, 1]cpu" = torch.ops.sgl_kernel.fp8_scaled_mm.default(getitem_19, arg8_1, arg1_1, arg1_1, torch.float16, None);  getitem_19 = arg8_1 = None

        # File: /home/sgl/conformance/examples/record_sglang.py:94 in silu_and_mul, code: act = torch.empty(x.shape[0], x.shape[1] // 2, dtype=x.dtype) if act is None else act
        empty_10: "f16[48, 256][256, 1]cpu" = torch.ops.aten.empty.memory_format([48, 256], dtype = torch.float16, device = device(type='cpu'), pin_memory = False)

        # File: /home/sgl/conformance/examples/record_sglang.py:95 in silu_and_mul, code: kernel.silu_and_mul(act, x)
        auto_functionalized_v2_10 = torch.ops.higher_order.auto_functionalized_v2(torch.ops.sgl_kernel.silu_and_mul.default, input = fp8_scaled_mm_6, _out_base_index = 0, _all_bases = [empty_10]);  fp8_scaled_mm_6 = empty_10 = None
        getitem_21: "f16[48, 256][256, 1]cpu" = auto_functionalized_v2_10[1];  auto_functionalized_v2_10 = None

        # File: /home/sgl/conformance/examples/record_sglang.py:100 in quant, code: codes = torch.empty(x.shape, dtype=FP8)
        empty_11: "f8e4m3fn[48, 256][256, 1]cpu" = torch.ops.aten.empty.memory_format([48, 256], dtype = torch.float8_e4m3fn, device = device(type='cpu'), pin_memory = False)

        # File: /home/sgl/conformance/examples/record_sglang.py:101 in quant, code: kernel.sgl_per_tensor_quant_fp8(x, codes, scale, static)
        auto_functionalized_v2_11 = torch.ops.higher_order.auto_functionalized_v2(torch.ops.sgl_kernel.sgl_per_tensor_quant_fp8.default, input = getitem_21, output_s = arg1_1, is_static = True, _output_q_base_index = 0, _all_bases = [empty_11]);  getitem_21 = empty_11 = None
        getitem_23: "f8e4m3fn[48, 256][256, 1]cpu" = auto_functionalized_v2_11[1];  auto_functionalized_v2_11 = None

        # File: /home/sgl/conformance/examples/record_sglang.py:106 in product, code: return kernel.fp8_scaled_mm(codes, w, scale, scale, dtype, None)
        fp8_scaled_mm_7: "f16[48, 128][128, 1]cpu" = torch.ops.sgl_kernel.fp8_scaled_mm.default(getitem_23, arg9_1, arg1_1, arg1_1, torch.float16, None);  getitem_23 = arg9_1 = None

        # File: /home/sgl/conformance/examples/record_sglang.py:144 in model, code: x = x + product(quant(silu_and_mul(gate_up), scale), down, scale)
        add_3: "f16[48, 128][128, 1]cpu" = torch.ops.aten.add.Tensor(add_2, fp8_scaled_mm_7);  add_2 = fp8_scaled_mm_7 = None

        # File: /home/sgl/conformance/examples/record_sglang.py:100 in quant, code: codes = torch.empty(x.shape, dtype=FP8)
        empty_12: "f8e4m3fn[48, 128][128, 1]cpu" = torch.ops.aten.empty.memory_format([48, 128], dtype = torch.float8_e4m3fn, device = device(type='cpu'), pin_memory = False)

        # File: /home/sgl/conformance/examples/record_sglang.py:101 in quant, code: kernel.sgl_per_tensor_quant_fp8(x, codes, scale, static)
        auto_functionalized_v2_12 = torch.ops.higher_order.auto_functionalized_v2(torch.ops.sgl_kernel.sgl_per_tensor_quant_fp8.default, input = add_3, output_s = arg1_1, is_static = True, _output_q_base_index = 0, _all_bases = [empty_12]);  empty_12 = None
        getitem_25: "f8e4m3fn[48, 128][128, 1]cpu" = auto_functionalized_v2_12[1];  auto_functionalized_v2_12 = None

        # File: /home/sgl/conformance/examples/record_sglang.py:106 in product, code: return kernel.fp8_scaled_mm(codes, w, scale, scale, dtype, None)
        fp8_scaled_mm_8: "f16[48, 512][512, 1]cpu" = torch.ops.sgl_kernel.fp8_scaled_mm.default(getitem_25, arg10_1, arg1_1, arg1_1, torch.float16, None);  getitem_25 = arg10_1 = None

        # File: /home/sgl/conformance/examples/record_sglang.py:94 in silu_and_mul, code: act = torch.empty(x.shape[0], x.shape[1] // 2, dtype=x.dtype) if act is None else act
        empty_13: "f16[48, 256][256, 1]cpu" = torch.ops.aten.empty.memory_format([48, 256], dtype = torch.float16, device = device(type='cpu'), pin_memory = False)

        # File: /home/sgl/conformance/examples/record_sglang.py:95 in silu_and_mul, code: kernel.silu_and_mul(act, x)
        auto_functionalized_v2_13 = torch.ops.higher_order.auto_functionalized_v2(torch.ops.sgl_kernel.silu_and_mul.default, input = fp8_scaled_mm_8, _out_base_index = 0, _all_bases = [empty_13]);  fp8_scaled_mm_8 = empty_13 = None
        getitem_27: "f16[48, 256][256, 1]cpu" = auto_functionalized_v2_13[1];  auto_functionalized_v2_13 = None

        # File: /home/sgl/conformance/examples/record_sglang.py:100 in quant, code: codes = torch.empty(x.shape, dtype=FP8)
        empty_14: "f8e4m3fn[48, 256][256, 1]cpu" = torch.ops.aten.empty.memory_format([48, 256], dtype = torch.float8_e4m3fn, device = device(type='cpu'), pin_memory = False)

        # File: /home/sgl/conformance/examples/record_sglang.py:101 in quant, code: kernel.sgl_per_tensor_quant_fp8(x, codes, scale, static)
        auto_functionalized_v2_14 = torch.ops.higher_order.auto_functionalized_v2(torch.ops.sgl_kernel.sgl_per_tensor_quant_fp8.default, input = getitem_27, output_s = arg1_1, is_static = True, _output_q_base_index = 0, _all_bases = [empty_14]);  getitem_27 = empty_14 = None
        getitem_29: "f8e4m3fn[48, 256][256, 1]cpu" = auto_functionalized_v2_14[1];  auto_functionalized_v2_14 = None

        # File: /home/sgl/conformance/examples/record_sglang.py:106 in product, code: return kernel.fp8_scaled_mm(codes, w, scale, scale, dtype, None)
        fp8_scaled_mm_9: "f16[48, 128][128, 1]cpu" = torch.ops.sgl_kernel.fp8_scaled_mm.default(getitem_29, arg11_1, arg1_1, arg1_1, torch.float16, None);  getitem_29 = arg11_1 = None

        # File: /home/sgl/conformance/examples/record_sglang.py:144 in model, code: x = x + product(quant(silu_and_mul(gate_up), scale), down, scale)
        add_4: "f16[48, 128][128, 1]cpu" = torch.ops.aten.add.Tensor(add_3, fp8_scaled_mm_9);  add_3 = fp8_scaled_mm_9 = None

        # File: /home/sgl/conformance/examples/record_sglang.py:100 in quant, code: codes = torch.empty(x.shape, dtype=FP8)
        empty_15: "f8e4m3fn[48, 128][128, 1]cpu" = torch.ops.aten.empty.memory_format([48, 128], dtype = torch.float8_e4m3fn, device = device(type='cpu'), pin_memory = False)

        # File: /home/sgl/conformance/examples/record_sglang.py:101 in quant, code: kernel.sgl_per_tensor_quant_fp8(x, codes, scale, static)
        auto_functionalized_v2_15 = torch.ops.higher_order.auto_functionalized_v2(torch.ops.sgl_kernel.sgl_per_tensor_quant_fp8.default, input = add_4, output_s = arg1_1, is_static = True, _output_q_base_index = 0, _all_bases = [empty_15]);  empty_15 = None
        getitem_31: "f8e4m3fn[48, 128][128, 1]cpu" = auto_functionalized_v2_15[1];  auto_functionalized_v2_15 = None

        # File: /home/sgl/conformance/examples/record_sglang.py:106 in product, code: return kernel.fp8_scaled_mm(codes, w, scale, scale, dtype, None)
        fp8_scaled_mm_10: "f16[48, 512][512, 1]cpu" = torch.ops.sgl_kernel.fp8_scaled_mm.default(getitem_31, arg12_1, arg1_1, arg1_1, torch.float16, None);  getitem_31 = arg12_1 = None

        # File: /home/sgl/conformance/examples/record_sglang.py:94 in silu_and_mul, code: act = torch.empty(x.shape[0], x.shape[1] // 2, dtype=x.dtype) if act is None else act
        empty_16: "f16[48, 256][256, 1]cpu" = torch.ops.aten.empty.memory_format([48, 256], dtype = torch.float16, device = device(type='cpu'), pin_memory = False)

        # File: /home/sgl/conformance/examples/record_sglang.py:95 in silu_and_mul, code: kernel.silu_and_mul(act, x)
        auto_functionalized_v2_16 = torch.ops.higher_order.auto_functionalized_v2(torch.ops.sgl_kernel.silu_and_mul.default, input = fp8_scaled_mm_10, _out_base_index = 0, _all_bases = [empty_16]);  fp8_scaled_mm_10 = empty_16 = None
        getitem_33: "f16[48, 256][256, 1]cpu" = auto_functionalized_v2_16[1];  auto_functionalized_v2_16 = None

        # File: /home/sgl/conformance/examples/record_sglang.py:100 in quant, code: codes = torch.empty(x.shape, dtype=FP8)
        empty_17: "f8e4m3fn[48, 256][256, 1]cpu" = torch.ops.aten.empty.memory_format([48, 256], dtype = torch.float8_e4m3fn, device = device(type='cpu'), pin_memory = False)

        # File: /home/sgl/conformance/examples/record_sglang.py:101 in quant, code: kernel.sgl_per_tensor_quant_fp8(x, codes, scale, static)
        auto_functionalized_v2_17 = torch.ops.higher_order.auto_functionalized_v2(torch.ops.sgl_kernel.sgl_per_tensor_quant_fp8.default, input = getitem_33, output_s = arg1_1, is_static = True, _output_q_base_index = 0, _all_bases = [empty_17]);  getitem_33 = empty_17 = None
        getitem_35: "f8e4m3fn[48, 256][256, 1]cpu" = auto_functionalized_v2_17[1];  auto_functionalized_v2_17 = None

        # File: /home/sgl/conformance/examples/record_sglang.py:106 in product, code: return kernel.fp8_scaled_mm(codes, w, scale, scale, dtype, None)
        fp8_scaled_mm_11: "f16[48, 128][128, 1]cpu" = torch.ops.sgl_kernel.fp8_scaled_mm.default(getitem_35, arg13_1, arg1_1, arg1_1, torch.float16, None);  getitem_35 = arg13_1 = None

        # File: /home/sgl/conformance/examples/record_sglang.py:144 in model, code: x = x + product(quant(silu_and_mul(gate_up), scale), down, scale)
        add_5: "f16[48, 128][128, 1]cpu" = torch.ops.aten.add.Tensor(add_4, fp8_scaled_mm_11);  add_4 = fp8_scaled_mm_11 = None

        # File: /home/sgl/conformance/examples/record_sglang.py:100 in quant, code: codes = torch.empty(x.shape, dtype=FP8)
        empty_18: "f8e4m3fn[48, 128][128, 1]cpu" = torch.ops.aten.empty.memory_format([48, 128], dtype = torch.float8_e4m3fn, device = device(type='cpu'), pin_memory = False)

        # File: /home/sgl/conformance/examples/record_sglang.py:101 in quant, code: kernel.sgl_per_tensor_quant_fp8(x, codes, scale, static)
        auto_functionalized_v2_18 = torch.ops.higher_order.auto_functionalized_v2(torch.ops.sgl_kernel.sgl_per_tensor_quant_fp8.default, input = add_5, output_s = arg1_1, is_static = True, _output_q_base_index = 0, _all_bases = [empty_18]);  empty_18 = None
        getitem_37: "f8e4m3fn[48, 128][128, 1]cpu" = auto_functionalized_v2_18[1];  auto_functionalized_v2_18 = None

        # File: /home/sgl/conformance/examples/record_sglang.py:106 in product, code: return kernel.fp8_scaled_mm(codes, w, scale, scale, dtype, None)
        fp8_scaled_mm_12: "bf16[48, 512][512, 1]cpu" = torch.ops.sgl_kernel.fp8_scaled_mm.default(getitem_37, arg14_1, arg1_1, arg1_1, torch.bfloat16, None);  getitem_37 = arg14_1 = None

        # File: /home/sgl/conformance/examples/record_sglang.py:94 in silu_and_mul, code: act = torch.empty(x.shape[0], x.shape[1] // 2, dtype=x.dtype) if act is None else act
        empty_19: "bf16[48, 256][256, 1]cpu" = torch.ops.aten.empty.memory_format([48, 256], dtype = torch.bfloat16, device = device(type='cpu'), pin_memory = False)

        # File: /home/sgl/conformance/examples/record_sglang.py:95 in silu_and_mul, code: kernel.silu_and_mul(act, x)
        auto_functionalized_v2_19 = torch.ops.higher_order.auto_functionalized_v2(torch.ops.sgl_kernel.silu_and_mul.default, input = fp8_scaled_mm_12, _out_base_index = 0, _all_bases = [empty_19]);  fp8_scaled_mm_12 = empty_19 = None
        getitem_39: "bf16[48, 256][256, 1]cpu" = auto_functionalized_v2_19[1];  auto_functionalized_v2_19 = None

        # File: /home/sgl/conformance/examples/record_sglang.py:100 in quant, code: codes = torch.empty(x.shape, dtype=FP8)
        empty_20: "f8e4m3fn[48, 256][256, 1]cpu" = torch.ops.aten.empty.memory_format([48, 256], dtype = torch.float8_e4m3fn, device = device(type='cpu'), pin_memory = False)

        # File: /home/sgl/conformance/examples/record_sglang.py:101 in quant, code: kernel.sgl_per_tensor_quant_fp8(x, codes, scale, static)
        auto_functionalized_v2_20 = torch.ops.higher_order.auto_functionalized_v2(torch.ops.sgl_kernel.sgl_per_tensor_quant_fp8.default, input = getitem_39, output_s = arg1_1, is_static = True, _output_q_base_index = 0, _all_bases = [empty_20]);  getitem_39 = empty_20 = None
        getitem_41: "f8e4m3fn[48, 256][256, 1]cpu" = auto_functionalized_v2_20[1];  auto_functionalized_v2_20 = None

        # File: /home/sgl/conformance/examples/record_sglang.py:106 in product, code: return kernel.fp8_scaled_mm(codes, w, scale, scale, dtype, None)
        fp8_scaled_mm_13: "f16[48, 128][128, 1]cpu" = torch.ops.sgl_kernel.fp8_scaled_mm.default(getitem_41, arg15_1, arg1_1, arg1_1, torch.float16, None);  getitem_41 = arg15_1 = None

        # File: /home/sgl/conformance/examples/record_sglang.py:144 in model, code: x = x + product(quant(silu_and_mul(gate_up), scale), down, scale)
        add_6: "f16[48, 128][128, 1]cpu" = torch.ops.aten.add.Tensor(add_5, fp8_scaled_mm_13);  add_5 = fp8_scaled_mm_13 = None

        # File: /home/sgl/conformance/examples/record_sglang.py:100 in quant, code: codes = torch.empty(x.shape, dtype=FP8)
        empty_21: "f8e4m3fn[48, 128][128, 1]cpu" = torch.ops.aten.empty.memory_format([48, 128], dtype = torch.float8_e4m3fn, device = device(type='cpu'), pin_memory = False)

        # File: /home/sgl/conformance/examples/record_sglang.py:101 in quant, code: kernel.sgl_per_tensor_quant_fp8(x, codes, scale, static)
        auto_functionalized_v2_21 = torch.ops.higher_order.auto_functionalized_v2(torch.ops.sgl_kernel.sgl_per_tensor_quant_fp8.default, input = add_6, output_s = arg1_1, is_static = True, _output_q_base_index = 0, _all_bases = [empty_21]);  empty_21 = None
        getitem_43: "f8e4m3fn[48, 128][128, 1]cpu" = auto_functionalized_v2_21[1];  auto_functionalized_v2_21 = None

        # File: /home/sgl/conformance/examples/record_sglang.py:106 in product, code: return kernel.fp8_scaled_mm(codes, w, scale, scale, dtype, None)
        fp8_scaled_mm_14: "bf16[48, 512][512, 1]cpu" = torch.ops.sgl_kernel.fp8_scaled_mm.default(getitem_43, arg16_1, arg1_1, arg1_1, torch.bfloat16, None);  getitem_43 = arg16_1 = None

        # File: /home/sgl/conformance/examples/record_sglang.py:94 in silu_and_mul, code: act = torch.empty(x.shape[0], x.shape[1] // 2, dtype=x.dtype) if act is None else act
        empty_22: "bf16[48, 256][256, 1]cpu" = torch.ops.aten.empty.memory_format([48, 256], dtype = torch.bfloat16, device = device(type='cpu'), pin_memory = False)

        # File: /home/sgl/conformance/examples/record_sglang.py:95 in silu_and_mul, code: kernel.silu_and_mul(act, x)
        auto_functionalized_v2_22 = torch.ops.higher_order.auto_functionalized_v2(torch.ops.sgl_kernel.silu_and_mul.default, input = fp8_scaled_mm_14, _out_base_index = 0, _all_bases = [empty_22]);  fp8_scaled_mm_14 = empty_22 = None
        getitem_45: "bf16[48, 256][256, 1]cpu" = auto_functionalized_v2_22[1];  auto_functionalized_v2_22 = None

        # File: /home/sgl/conformance/examples/record_sglang.py:100 in quant, code: codes = torch.empty(x.shape, dtype=FP8)
        empty_23: "f8e4m3fn[48, 256][256, 1]cpu" = torch.ops.aten.empty.memory_format([48, 256], dtype = torch.float8_e4m3fn, device = device(type='cpu'), pin_memory = False)

        # File: /home/sgl/conformance/examples/record_sglang.py:101 in quant, code: kernel.sgl_per_tensor_quant_fp8(x, codes, scale, static)
        auto_functionalized_v2_23 = torch.ops.higher_order.auto_functionalized_v2(torch.ops.sgl_kernel.sgl_per_tensor_quant_fp8.default, input = getitem_45, output_s = arg1_1, is_static = True, _output_q_base_index = 0, _all_bases = [empty_23]);  getitem_45 = empty_23 = None
        getitem_47: "f8e4m3fn[48, 256][256, 1]cpu" = auto_functionalized_v2_23[1];  auto_functionalized_v2_23 = None

        # File: /home/sgl/conformance/examples/record_sglang.py:106 in product, code: return kernel.fp8_scaled_mm(codes, w, scale, scale, dtype, None)
        fp8_scaled_mm_15: "f16[48, 128][128, 1]cpu" = torch.ops.sgl_kernel.fp8_scaled_mm.default(getitem_47, arg17_1, arg1_1, arg1_1, torch.float16, None);  getitem_47 = arg17_1 = arg1_1 = None

        # File: /home/sgl/conformance/examples/record_sglang.py:144 in model, code: x = x + product(quant(silu_and_mul(gate_up), scale), down, scale)
        add_7: "f16[48, 128][128, 1]cpu" = torch.ops.aten.add.Tensor(add_6, fp8_scaled_mm_15);  add_6 = fp8_scaled_mm_15 = None
        return (add_7,)
