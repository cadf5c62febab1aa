class <lambda>(torch.nn.Module):
    def forward(self, arg0_1: "f16[48, 128][128, 1]cpu", arg1_1: "f16[128, 128][128, 1]cpu", arg2_1: "f16[128][1]cpu", arg3_1: "f32[1][1]cpu", arg4_1: "f8e4m3fn[128, 128][128, 1]cpu", arg5_1: "f16[128, 128][128, 1]cpu", arg6_1: "f16[128][1]cpu", arg7_1: "f8e4m3fn[128, 128][128, 1]cpu", arg8_1: "f16[128, 128][128, 1]cpu", arg9_1: "f16[128][1]cpu", arg10_1: "f8e4m3fn[128, 128][128, 1]cpu", arg11_1: "f16[128, 128][128, 1]cpu", arg12_1: "f16[128][1]cpu", arg13_1: "f8e4m3fn[128, 128][128, 1]cpu", arg14_1: "f16[128, 128][128, 1]cpu", arg15_1: "f16[128][1]cpu", arg16_1: "f16[128, 128][128, 1]cpu", arg17_1: "f16[128][1]cpu"):
        # File: /home/sgl/conformance/examples/record_sglang.py:243 in model, code: x, residual = add_norm(x @ w, residual, weight)
        mm: "f16[48, 128][128, 1]cpu" = torch.ops.aten.mm.default(arg0_1, arg1_1);  arg0_1 = arg1_1 = None

        # File: /home/sgl/conformance/examples/record_sglang.py:46 in all_reduce, code: reduced = torch.ops._c10d_functional.all_reduce.default(x, "sum", "tp:0")
        all_reduce: "f16[48, 128][128, 1]cpu" = torch.ops._c10d_functional.all_reduce.default(mm, 'sum', 'tp:0');  mm = None

        # File: /home/sgl/conformance/examples/record_sglang.py:47 in all_reduce, code: return torch.ops._c10d_functional.wait_tensor.default(reduced)
        wait_tensor: "f16[48, 128][128, 1]cpu" = torch.ops._c10d_functional.wait_tensor.default(all_reduce);  all_reduce = None

        # File: /home/sgl/conformance/examples/record_sglang.py:241 in model, code: residual = torch.zeros_like(x)
        full_default: "f16[48, 128][128, 1]cpu" = torch.ops.aten.full.default([48, 128], 0, dtype = torch.float16, layout = torch.strided, device = device(type='cpu'), pin_memory = False)

        # File: /home/sgl/conformance/examples/record_sglang.py:217 in add_norm, code: kernel.fused_add_rmsnorm(x, residual, weight, 1e-6, False)
        auto_functionalized_v2 = torch.ops.higher_order.auto_functionalized_v2(torch.ops.sgl_kernel.fused_add_rmsnorm.default, weight = arg2_1, eps = 1e-06, enable_pdl = False, _input_base_index = 0, _residual_base_index = 1, _all_bases = [wait_tensor, full_default]);  arg2_1 = wait_tensor = full_default = None
        getitem_1: "f16[48, 128][128, 1]cpu" = auto_functionalized_v2[1]
        getitem_2: "f16[48, 128][128, 1]cpu" = auto_functionalized_v2[2];  auto_functionalized_v2 = None

        # File: /home/sgl/conformance/examples/record_sglang.py:101 in quant, code: codes = torch.empty(x.shape, dtype=FP8)
        empty: "f8e4m3fn[48, 128][128, 1]cpu" = torch.ops.aten.empty.memory_format([48, 128], dtype = torch.float8_e4m3fn, device = device(type='cpu'), pin_memory = False)

        # File: /home/sgl/conformance/examples/record_sglang.py:102 in quant, code: kernel.sgl_per_tensor_quant_fp8(x, codes, scale, static)
        auto_functionalized_v2_1 = torch.ops.higher_order.auto_functionalized_v2(torch.ops.sgl_kernel.sgl_per_tensor_quant_fp8.default, input = getitem_1, output_s = arg3_1, is_static = True, _output_q_base_index = 0, _all_bases = [empty]);  getitem_1 = empty = None
        getitem_4: "f8e4m3fn[48, 128][128, 1]cpu" = auto_functionalized_v2_1[1];  auto_functionalized_v2_1 = None

        # File: /home/sgl/conformance/examples/record_sglang.py:107 in product, code: return kernel.fp8_scaled_mm(codes, w, scale, scale, dtype, None)
        fp8_scaled_mm: "f16[48, 128][128, 1]cpu" = torch.ops.sgl_kernel.fp8_scaled_mm.default(getitem_4, arg4_1, arg3_1, arg3_1, torch.float16, None);  getitem_4 = arg4_1 = None

        # File: /home/sgl/conformance/examples/record_sglang.py:243 in model, code: x, residual = add_norm(x @ w, residual, weight)
        mm_1: "f16[48, 128][128, 1]cpu" = torch.ops.aten.mm.default(fp8_scaled_mm, arg5_1);  fp8_scaled_mm = arg5_1 = None

        # File: /home/sgl/conformance/examples/record_sglang.py:46 in all_reduce, code: reduced = torch.ops._c10d_functional.all_reduce.default(x, "sum", "tp:0")
        all_reduce_1: "f16[48, 128][128, 1]cpu" = torch.ops._c10d_functional.all_reduce.default(mm_1, 'sum', 'tp:0');  mm_1 = None

        # File: /home/sgl/conformance/examples/record_sglang.py:47 in all_reduce, code: return torch.ops._c10d_functional.wait_tensor.default(reduced)
        wait_tensor_1: "f16[48, 128][128, 1]cpu" = torch.ops._c10d_functional.wait_tensor.default(all_reduce_1);  all_reduce_1 = None

        # File: /home/sgl/conformance/examples/record_sglang.py:217 in add_norm, code: kernel.fused_add_rmsnorm(x, residual, weight, 1e-6, False)
        auto_functionalized_v2_2 = torch.ops.higher_order.auto_functionalized_v2(torch.ops.sgl_kernel.fused_add_rmsnorm.default, weight = arg6_1, eps = 1e-06, enable_pdl = False, _input_base_index = 0, _residual_base_index = 1, _all_bases = [wait_tensor_1, getitem_2]);  arg6_1 = wait_tensor_1 = getitem_2 = None
        getitem_6: "f16[48, 128][128, 1]cpu" = auto_functionalized_v2_2[1]
        getitem_7: "f16[48, 128][128, 1]cpu" = auto_functionalized_v2_2[2];  auto_functionalized_v2_2 = None

        # File: /home/sgl/conformance/examples/record_sglang.py:101 in quant, code: codes = torch.empty(x.shape, dtype=FP8)
        empty_1: "f8e4m3fn[48, 128][128, 1]cpu" = torch.ops.aten.empty.memory_format([48, 128], dtype = torch.float8_e4m3fn, device = device(type='cpu'), pin_memory = False)

        # File: /home/sgl/conformance/examples/record_sglang.py:102 in quant, code: kernel.sgl_per_tensor_quant_fp8(x, codes, scale, static)
        auto_functionalized_v2_3 = torch.ops.higher_order.auto_functionalized_v2(torch.ops.sgl_kernel.sgl_per_tensor_quant_fp8.default, input = getitem_6, output_s = arg3_1, is_static = True, _output_q_base_index = 0, _all_bases = [empty_1]);  getitem_6 = empty_1 = None
        getitem_9: "f8e4m3fn[48, 128][128, 1]cpu" = auto_functionalized_v2_3[1];  auto_functionalized_v2_3 = None

        # File: /home/sgl/conformance/examples/record_sglang.py:107 in product, code: return kernel.fp8_scaled_mm(codes, w, scale, scale, dtype, None)
        fp8_scaled_mm_1: "f16[48, 128][128, 1]cpu" = torch.ops.sgl_kernel.fp8_scaled_mm.default(getitem_9, arg7_1, arg3_1, arg3_1, torch.float16, None);  getitem_9 = arg7_1 = None

        # File: /home/sgl/conformance/examples/record_sglang.py:243 in model, code: x, residual = add_norm(x @ w, residual, weight)
        mm_2: "f16[48, 128][128, 1]cpu" = torch.ops.aten.mm.default(fp8_scaled_mm_1, arg8_1);  fp8_scaled_mm_1 = arg8_1 = None

        # File: /home/sgl/conformance/examples/record_sglang.py:46 in all_reduce, code: reduced = torch.ops._c10d_functional.all_reduce.default(x, "sum", "tp:0")
        all_reduce_2: "f16[48, 128][128, 1]cpu" = torch.ops._c10d_functional.all_reduce.default(mm_2, 'sum', 'tp:0');  mm_2 = None

        # File: /home/sgl/conformance/examples/record_sglang.py:47 in all_reduce, code: return torch.ops._c10d_functional.wait_tensor.default(reduced)
        wait_tensor_2: "f16[48, 128][128, 1]cpu" = torch.ops._c10d_functional.wait_tensor.default(all_reduce_2);  all_reduce_2 = None

        # File: /home/sgl/conformance/examples/record_sglang.py:217 in add_norm, code: kernel.fused_add_rmsnorm(x, residual, weight, 1e-6, False)
        auto_functionalized_v2_4 = torch.ops.higher_order.auto_functionalized_v2(torch.ops.sgl_kernel.fused_add_rmsnorm.default, weight = arg9_1, eps = 1e-06, enable_pdl = False, _input_base_index = 0, _residual_base_index = 1, _all_bases = [wait_tensor_2, getitem_7]);  arg9_1 = wait_tensor_2 = getitem_7 = None
        getitem_11: "f16[48, 128][128, 1]cpu" = auto_functionalized_v2_4[1]
        getitem_12: "f16[48, 128][128, 1]cpu" = auto_functionalized_v2_4[2];  auto_functionalized_v2_4 = None

        # File: /home/sgl/conformance/examples/record_sglang.py:101 in quant, code: codes = torch.empty(x.shape, dtype=FP8)
        empty_2: "f8e4m3fn[48, 128][128, 1]cpu" = torch.ops.aten.empty.memory_format([48, 128], dtype = torch.float8_e4m3fn, device = device(type='cpu'), pin_memory = False)

        # File: /home/sgl/conformance/examples/record_sglang.py:102 in quant, code: kernel.sgl_per_tensor_quant_fp8(x, codes, scale, static)
        auto_functionalized_v2_5 = torch.ops.higher_order.auto_functionalized_v2(torch.ops.sgl_kernel.sgl_per_tensor_quant_fp8.default, input = getitem_11, output_s = arg3_1, is_static = True, _output_q_base_index = 0, _all_bases = [empty_2]);  getitem_11 = empty_2 = None
        getitem_14: "f8e4m3fn[48, 128][128, 1]cpu" = auto_functionalized_v2_5[1];  auto_functionalized_v2_5 = None

        # File: /home/sgl/conformance/examples/record_sglang.py:107 in product, code: return kernel.fp8_scaled_mm(codes, w, scale, scale, dtype, None)
        fp8_scaled_mm_2: "f16[48, 128][128, 1]cpu" = torch.ops.sgl_kernel.fp8_scaled_mm.default(getitem_14, arg10_1, arg3_1, arg3_1, torch.float16, None);  getitem_14 = arg10_1 = None

        # File: /home/sgl/conformance/examples/record_sglang.py:243 in model, code: x, residual = add_norm(x @ w, residual, weight)
        mm_3: "f16[48, 128][128, 1]cpu" = torch.ops.aten.mm.default(fp8_scaled_mm_2, arg11_1);  fp8_scaled_mm_2 = arg11_1 = None

        # File: /home/sgl/conformance/examples/record_sglang.py:46 in all_reduce, code: reduced = torch.ops._c10d_functional.all_reduce.default(x, "sum", "tp:0")
        all_reduce_3: "f16[48, 128][128, 1]cpu" = torch.ops._c10d_functional.all_reduce.default(mm_3, 'sum', 'tp:0');  mm_3 = None

        # File: /home/sgl/conformance/examples/record_sglang.py:47 in all_reduce, code: return torch.ops._c10d_functional.wait_tensor.default(reduced)
        wait_tensor_3: "f16[48, 128][128, 1]cpu" = torch.ops._c10d_functional.wait_tensor.default(all_reduce_3);  all_reduce_3 = None

        # File: /home/sgl/conformance/examples/record_sglang.py:217 in add_norm, code: kernel.fused_add_rmsnorm(x, residual, weight, 1e-6, False)
        auto_functionalized_v2_6 = torch.ops.higher_order.auto_functionalized_v2(torch.ops.sgl_kernel.fused_add_rmsnorm.default, weight = arg12_1, eps = 1e-06, enable_pdl = False, _input_base_index = 0, _residual_base_index = 1, _all_bases = [wait_tensor_3, getitem_12]);  arg12_1 = wait_tensor_3 = getitem_12 = None
        getitem_16: "f16[48, 128][128, 1]cpu" = auto_functionalized_v2_6[1]
        getitem_17: "f16[48, 128][128, 1]cpu" = auto_functionalized_v2_6[2];  auto_functionalized_v2_6 = None

        # File: /home/sgl/conformance/examples/record_sglang.py:101 in quant, code: codes = torch.empty(x.shape, dtype=FP8)
        empty_3: "f8e4m3fn[48, 128][128, 1]cpu" = torch.ops.aten.empty.memory_format([48, 128], dtype = torch.float8_e4m3fn, device = device(type='cpu'), pin_memory = False)

        # File: /home/sgl/conformance/examples/record_sglang.py:102 in quant, code: kernel.sgl_per_tensor_quant_fp8(x, codes, scale, static)
        auto_functionalized_v2_7 = torch.ops.higher_order.auto_functionalized_v2(torch.ops.sgl_kernel.sgl_per_tensor_quant_fp8.default, input = getitem_16, output_s = arg3_1, is_static = True, _output_q_base_index = 0, _all_bases = [empty_3]);  getitem_16 = empty_3 = None
        getitem_19: "f8e4m3fn[48, 128][128, 1]cpu" = auto_functionalized_v2_7[1];  auto_functionalized_v2_7 = None

        # File: /home/sgl/conformance/examples/record_sglang.py:107 in product, code: return kernel.fp8_scaled_mm(codes, w, scale, scale, dtype, None)
        fp8_scaled_mm_3: "f16[48, 128][128, 1]cpu" = torch.ops.sgl_kernel.fp8_scaled_mm.default(getitem_19, arg13_1, arg3_1, arg3_1, torch.float16, None);  getitem_19 = arg13_1 = arg3_1 = None

        # File: /home/sgl/conformance/examples/record_sglang.py:243 in model, code: x, residual = add_norm(x @ w, residual, weight)
        mm_4: "f16[48, 128][128, 1]cpu" = torch.ops.aten.mm.default(fp8_scaled_mm_3, arg14_1);  fp8_scaled_mm_3 = None

        # File: /home/sgl/conformance/examples/record_sglang.py:46 in all_reduce, code: reduced = torch.ops._c10d_functional.all_reduce.default(x, "sum", "tp:0")
        all_reduce_4: "f16[48, 128][128, 1]cpu" = torch.ops._c10d_functional.all_reduce.default(mm_4, 'sum', 'tp:0');  mm_4 = None

        # File: /home/sgl/conformance/examples/record_sglang.py:47 in all_reduce, code: return torch.ops._c10d_functional.wait_tensor.default(reduced)
        wait_tensor_4: "f16[48, 128][128, 1]cpu" = torch.ops._c10d_functional.wait_tensor.default(all_reduce_4);  all_reduce_4 = None

        # File: /home/sgl/conformance/examples/record_sglang.py:217 in add_norm, code: kernel.fused_add_rmsnorm(x, residual, weight, 1e-6, False)
        auto_functionalized_v2_8 = torch.ops.higher_order.auto_functionalized_v2(torch.ops.sgl_kernel.fused_add_rmsnorm.default, weight = arg15_1, eps = 1e-06, enable_pdl = False, _input_base_index = 0, _residual_base_index = 1, _all_bases = [wait_tensor_4, getitem_17]);  arg15_1 = wait_tensor_4 = getitem_17 = None
        getitem_21: "f16[48, 128][128, 1]cpu" = auto_functionalized_v2_8[1]
        getitem_22: "f16[48, 128][128, 1]cpu" = auto_functionalized_v2_8[2];  auto_functionalized_v2_8 = None

        # File: /home/sgl/conformance/examples/record_sglang.py:244 in model, code: x = x @ w if i >= 4 else product(quant(x, scale), w8, scale)
        mm_5: "f16[48, 128][128, 1]cpu" = torch.ops.aten.mm.default(getitem_21, arg14_1);  getitem_21 = arg14_1 = None

        # File: /home/sgl/conformance/examples/record_sglang.py:243 in model, code: x, residual = add_norm(x @ w, residual, weight)
        mm_6: "f16[48, 128][128, 1]cpu" = torch.ops.aten.mm.default(mm_5, arg16_1);  mm_5 = None

        # File: /home/sgl/conformance/examples/record_sglang.py:46 in all_reduce, code: reduced = torch.ops._c10d_functional.all_reduce.default(x, "sum", "tp:0")
        all_reduce_5: "f16[48, 128][128, 1]cpu" = torch.ops._c10d_functional.all_reduce.default(mm_6, 'sum', 'tp:0');  mm_6 = None

        # File: /home/sgl/conformance/examples/record_sglang.py:47 in all_reduce, code: return torch.ops._c10d_functional.wait_tensor.default(reduced)
        wait_tensor_5: "f16[48, 128][128, 1]cpu" = torch.ops._c10d_functional.wait_tensor.default(all_reduce_5);  all_reduce_5 = None

        # File: /home/sgl/conformance/examples/record_sglang.py:217 in add_norm, code: kernel.fused_add_rmsnorm(x, residual, weight, 1e-6, False)
        auto_functionalized_v2_9 = torch.ops.higher_order.auto_functionalized_v2(torch.ops.sgl_kernel.fused_add_rmsnorm.default, weight = arg17_1, eps = 1e-06, enable_pdl = False, _input_base_index = 0, _residual_base_index = 1, _all_bases = [wait_tensor_5, getitem_22]);  arg17_1 = wait_tensor_5 = getitem_22 = None
        getitem_24: "f16[48, 128][128, 1]cpu" = auto_functionalized_v2_9[1]
        getitem_25: "f16[48, 128][128, 1]cpu" = auto_functionalized_v2_9[2];  auto_functionalized_v2_9 = None

        # File: /home/sgl/conformance/examples/record_sglang.py:245 in model, code: return x + residual
        addmm_default: "f16[48, 128][128, 1]cpu" = torch.ops.aten.addmm.default(getitem_25, getitem_24, arg16_1);  getitem_25 = getitem_24 = arg16_1 = None
        return (addmm_default,)
