class <lambda>(torch.nn.Module):
    def forward(self, arg0_1: "f16[48, 128][128, 1]cpu", arg1_1: "f16[128, 384][384, 1]cpu", arg2_1: "f32[1][1]cpu", arg3_1: "f8e4m3fn[128, 128][128, 1]cpu", arg4_1: "f16[128, 384][384, 1]cpu", arg5_1: "f8e4m3fn[128, 128][128, 1]cpu", arg6_1: "f16[128, 384][384, 1]cpu", arg7_1: "f8e4m3fn[128, 128][128, 1]cpu", arg8_1: "f16[128, 384][384, 1]cpu", arg9_1: "f8e4m3fn[128, 128][128, 1]cpu", arg10_1: "f16[128, 384][384, 1]cpu", arg11_1: "f8e4m3fn[128, 128][128, 1]cpu", arg12_1: "f16[128, 384][384, 1]cpu", arg13_1: "f8e4m3fn[128, 128][128, 1]cpu", arg14_1: "f16[128, 384][384, 1]cpu", arg15_1: "f8e4m3fn[128, 128][128, 1]cpu", arg16_1: "f16[128, 384][384, 1]cpu", arg17_1: "f8e4m3fn[128, 128][128, 1]cpu"):
        # File: /home/sgl/conformance/examples/record_sglang.py:177 in model, code: q, k, v = (t.view(-1, heads, dim) for t in (x @ qkv).split([HIDDEN] * 3, -1))
        mm: "f16[48, 384][384, 1]cpu" = torch.ops.aten.mm.default(arg0_1, arg1_1);  arg1_1 = None
        split_with_sizes = torch.ops.aten.split_with_sizes.default(mm, [128, 128, 128], -1);  mm = None
        getitem: "f16[48, 128][384, 1]cpu" = split_with_sizes[0]
        getitem_1: "f16[48, 128][384, 1]cpu" = split_with_sizes[1]
        getitem_2: "f16[48, 128][384, 1]cpu" = split_with_sizes[2];  split_with_sizes = None

        # File: /home/sgl/conformance/examples/record_sglang.py:177 in <genexpr>, code: q, k, v = (t.view(-1, heads, dim) for t in (x @ qkv).split([HIDDEN] * 3, -1))
        view: "f16[48, 4, 32][384, 32, 1]cpu" = torch.ops.aten.reshape.default(getitem, [-1, 4, 32]);  getitem = None
        view_1: "f16[48, 4, 32][384, 32, 1]cpu" = torch.ops.aten.reshape.default(getitem_1, [-1, 4, 32]);  getitem_1 = None
        view_2: "f16[48, 4, 32][384, 32, 1]cpu" = torch.ops.aten.reshape.default(getitem_2, [-1, 4, 32]);  getitem_2 = None

        # File: /home/sgl/conformance/examples/record_sglang.py:178 in model, code: attention = torch.empty(TOKENS, heads, dim, dtype=HALF)
        empty: "f16[48, 4, 32][128, 32, 1]cpu" = torch.ops.aten.empty.memory_format([48, 4, 32], dtype = torch.float16, device = device(type='cpu'), pin_memory = False)

        # File: /home/sgl/conformance/examples/record_sglang.py:179 in model, code: torch.ops.sglang.attention_with_output(q, k, v, attention, i)
        auto_functionalized_v2 = torch.ops.higher_order.auto_functionalized_v2(torch.ops.sglang.attention_with_output.default, query = view, key = view_1, value = view_2, layer_id = 0, output_scale = None, _output_base_index = 0, _all_bases = [empty]);  view = view_1 = view_2 = empty = None
        getitem_4: "f16[48, 4, 32][128, 32, 1]cpu" = auto_functionalized_v2[1];  auto_functionalized_v2 = None

        # File: /home/sgl/conformance/examples/record_sglang.py:101 in quant, code: kernel.sgl_per_tensor_quant_fp8(x, codes, scale, static)
        view_4: "f16[48, 128][128, 1]cpu" = torch.ops.aten.reshape.default(getitem_4, [-1, 128]);  getitem_4 = None

        # File: /home/sgl/conformance/examples/record_sglang.py:100 in quant, code: codes = torch.empty(x.shape, dtype=FP8)
        empty_1: "f8e4m3fn[48, 128][128, 1]cpu" = torch.ops.aten.empty.memory_format([48, 128], dtype = torch.float8_e4m3fn, device = device(type='cpu'), pin_memory = False)

        # File: /home/sgl/conformance/examples/record_sglang.py:101 in quant, code: kernel.sgl_per_tensor_quant_fp8(x, codes, scale, static)
        auto_functionalized_v2_1 = torch.ops.higher_order.auto_functionalized_v2(torch.ops.sgl_kernel.sgl_per_tensor_quant_fp8.default, input = view_4, output_s = arg2_1, is_static = True, _output_q_base_index = 0, _all_bases = [empty_1]);  view_4 = empty_1 = None
        getitem_6: "f8e4m3fn[48, 128][128, 1]cpu" = auto_functionalized_v2_1[1];  auto_functionalized_v2_1 = None

        # File: /home/sgl/conformance/examples/record_sglang.py:106 in product, code: return kernel.fp8_scaled_mm(codes, w, scale, scale, dtype, None)
        fp8_scaled_mm: "f16[48, 128][128, 1]cpu" = torch.ops.sgl_kernel.fp8_scaled_mm.default(getitem_6, arg3_1, arg2_1, arg2_1, torch.float16, None);  getitem_6 = arg3_1 = None

        # File: /home/sgl/conformance/examples/record_sglang.py:181 in model, code: x = x + product(quant(flat, scale), o, scale)
        add: "f16[48, 128][128, 1]cpu" = torch.ops.aten.add.Tensor(arg0_1, fp8_scaled_mm);  arg0_1 = fp8_scaled_mm = None

        # File: /home/sgl/conformance/examples/record_sglang.py:177 in model, code: q, k, v = (t.view(-1, heads, dim) for t in (x @ qkv).split([HIDDEN] * 3, -1))
        mm_1: "f16[48, 384][384, 1]cpu" = torch.ops.aten.mm.default(add, arg4_1);  arg4_1 = None
        split_with_sizes_1 = torch.ops.aten.split_with_sizes.default(mm_1, [128, 128, 128], -1);  mm_1 = None
        getitem_7: "f16[48, 128][384, 1]cpu" = split_with_sizes_1[0]
        getitem_8: "f16[48, 128][384, 1]cpu" = split_with_sizes_1[1]
        getitem_9: "f16[48, 128][384, 1]cpu" = split_with_sizes_1[2];  split_with_sizes_1 = None

        # File: /home/sgl/conformance/examples/record_sglang.py:177 in <genexpr>, code: q, k, v = (t.view(-1, heads, dim) for t in (x @ qkv).split([HIDDEN] * 3, -1))
        view_5: "f16[48, 4, 32][384, 32, 1]cpu" = torch.ops.aten.reshape.default(getitem_7, [-1, 4, 32]);  getitem_7 = None
        view_6: "f16[48, 4, 32][384, 32, 1]cpu" = torch.ops.aten.reshape.default(getitem_8, [-1, 4, 32]);  getitem_8 = None
        view_7: "f16[48, 4, 32][384, 32, 1]cpu" = torch.ops.aten.reshape.default(getitem_9, [-1, 4, 32]);  getitem_9 = None

        # File: /home/sgl/conformance/examples/record_sglang.py:178 in model, code: attention = torch.empty(TOKENS, heads, dim, dtype=HALF)
        empty_2: "f16[48, 4, 32][128, 32, 1]cpu" = torch.ops.aten.empty.memory_format([48, 4, 32], dtype = torch.float16, device = device(type='cpu'), pin_memory = False)

        # File: /home/sgl/conformance/examples/record_sglang.py:179 in model, code: torch.ops.sglang.attention_with_output(q, k, v, attention, i)
        auto_functionalized_v2_2 = torch.ops.higher_order.auto_functionalized_v2(torch.ops.sglang.attention_with_output.default, query = view_5, key = view_6, value = view_7, layer_id = 1, output_scale = None, _output_base_index = 0, _all_bases = [empty_2]);  view_5 = view_6 = view_7 = empty_2 = None
        getitem_11: "f16[48, 4, 32][128, 32, 1]cpu" = auto_functionalized_v2_2[1];  auto_functionalized_v2_2 = None

        # File: /home/sgl/conformance/examples/record_sglang.py:101 in quant, code: kernel.sgl_per_tensor_quant_fp8(x, codes, scale, static)
        view_9: "f16[48, 128][128, 1]cpu" = torch.ops.aten.reshape.default(getitem_11, [-1, 128]);  getitem_11 = None

        # File: /home/sgl/conformance/examples/record_sglang.py:100 in quant, code: codes = torch.empty(x.shape, dtype=FP8)
        empty_3: "f8e4m3fn[48, 128][128, 1]cpu" = torch.ops.aten.empty.memory_format([48, 128], dtype = torch.float8_e4m3fn, device = device(type='cpu'), pin_memory = False)

        # File: /home/sgl/conformance/examples/record_sglang.py:101 in quant, code: kernel.sgl_per_tensor_quant_fp8(x, codes, scale, static)
        auto_functionalized_v2_3 = torch.ops.higher_order.auto_functionalized_v2(torch.ops.sgl_kernel.sgl_per_tensor_quant_fp8.default, input = view_9, output_s = arg2_1, is_static = True, _output_q_base_index = 0, _all_bases = [empty_3]);  view_9 = empty_3 = None
        getitem_13: "f8e4m3fn[48, 128][128, 1]cpu" = auto_functionalized_v2_3[1];  auto_functionalized_v2_3 = None

        # File: /home/sgl/conformance/examples/record_sglang.py:106 in product, code: return kernel.fp8_scaled_mm(codes, w, scale, scale, dtype, None)
        fp8_scaled_mm_1: "f16[48, 128][128, 1]cpu" = torch.ops.sgl_kernel.fp8_scaled_mm.default(getitem_13, arg5_1, arg2_1, arg2_1, torch.float16, None);  getitem_13 = arg5_1 = None

        # File: /home/sgl/conformance/examples/record_sglang.py:181 in model, code: x = x + product(quant(flat, scale), o, scale)
        add_1: "f16[48, 128][128, 1]cpu" = torch.ops.aten.add.Tensor(add, fp8_scaled_mm_1);  add = fp8_scaled_mm_1 = None

        # File: /home/sgl/conformance/examples/record_sglang.py:177 in model, code: q, k, v = (t.view(-1, heads, dim) for t in (x @ qkv).split([HIDDEN] * 3, -1))
        mm_2: "f16[48, 384][384, 1]cpu" = torch.ops.aten.mm.default(add_1, arg6_1);  arg6_1 = None
        split_with_sizes_2 = torch.ops.aten.split_with_sizes.default(mm_2, [128, 128, 128], -1);  mm_2 = None
        getitem_14: "f16[48, 128][384, 1]cpu" = split_with_sizes_2[0]
        getitem_15: "f16[48, 128][384, 1]cpu" = split_with_sizes_2[1]
        getitem_16: "f16[48, 128][384, 1]cpu" = split_with_sizes_2[2];  split_with_sizes_2 = None

        # File: /home/sgl/conformance/examples/record_sglang.py:177 in <genexpr>, code: q, k, v = (t.view(-1, heads, dim) for t in (x @ qkv).split([HIDDEN] * 3, -1))
        view_10: "f16[48, 4, 32][384, 32, 1]cpu" = torch.ops.aten.reshape.default(getitem_14, [-1, 4, 32]);  getitem_14 = None
        view_11: "f16[48, 4, 32][384, 32, 1]cpu" = torch.ops.aten.reshape.default(getitem_15, [-1, 4, 32]);  getitem_15 = None
        view_12: "f16[48, 4, 32][384, 32, 1]cpu" = torch.ops.aten.reshape.default(getitem_16, [-1, 4, 32]);  getitem_16 = None

        # File: /home/sgl/conformance/examples/record_sglang.py:178 in model, code: attention = torch.empty(TOKENS, heads, dim, dtype=HALF)
        empty_4: "f16[48, 4, 32][128, 32, 1]cpu" = torch.ops.aten.empty.memory_format([48, 4, 32], dtype = torch.float16, device = device(type='cpu'), pin_memory = False)

        # File: /home/sgl/conformance/examples/record_sglang.py:179 in model, code: torch.ops.sglang.attention_with_output(q, k, v, attention, i)
        auto_functionalized_v2_4 = torch.ops.higher_order.auto_functionalized_v2(torch.ops.sglang.attention_with_output.default, query = view_10, key = view_11, value = view_12, layer_id = 2, output_scale = None, _output_base_index = 0, _all_bases = [empty_4]);  view_10 = view_11 = view_12 = empty_4 = None
        getitem_18: "f16[48, 4, 32][128, 32, 1]cpu" = auto_functionalized_v2_4[1];  auto_functionalized_v2_4 = None

        # File: /home/sgl/conformance/examples/record_sglang.py:101 in quant, code: kernel.sgl_per_tensor_quant_fp8(x, codes, scale, static)
        view_14: "f16[48, 128][128, 1]cpu" = torch.ops.aten.reshape.default(getitem_18, [-1, 128]);  getitem_18 = None

        # File: /home/sgl/conformance/examples/record_sglang.py:100 in quant, code: codes = torch.empty(x.shape, dtype=FP8)
        empty_5: "f8e4m3fn[48, 128][128, 1]cpu" = torch.ops.aten.empty.memory_format([48, 128], dtype = torch.float8_e4m3fn, device = device(type='cpu'), pin_memory = False)

        # File: /home/sgl/conformance/examples/record_sglang.py:101 in quant, code: kernel.sgl_per_tensor_quant_fp8(x, codes, scale, static)
        auto_functionalized_v2_5 = torch.ops.higher_order.auto_functionalized_v2(torch.ops.sgl_kernel.sgl_per_tensor_quant_fp8.default, input = view_14, output_s = arg2_1, is_static = True, _output_q_base_index = 0, _all_bases = [empty_5]);  view_14 = empty_5 = None
        getitem_20: "f8e4m3fn[48, 128][128, 1]cpu" = auto_functionalized_v2_5[1];  auto_functionalized_v2_5 = None

        # File: /home/sgl/conformance/examples/record_sglang.py:106 in product, code: return kernel.fp8_scaled_mm(codes, w, scale, scale, dtype, None)
        fp8_scaled_mm_2: "f16[48, 128][128, 1]cpu" = torch.ops.sgl_kernel.fp8_scaled_mm.default(getitem_20, arg7_1, arg2_1, arg2_1, torch.float16, None);  getitem_20 = arg7_1 = None

        # File: /home/sgl/conformance/examples/record_sglang.py:181 in model, code: x = x + product(quant(flat, scale), o, scale)
        add_2: "f16[48, 128][128, 1]cpu" = torch.ops.aten.add.Tensor(add_1, fp8_scaled_mm_2);  add_1 = fp8_scaled_mm_2 = None

        # File: /home/sgl/conformance/examples/record_sglang.py:177 in model, code: q, k, v = (t.view(-1, heads, dim) for t in (x @ qkv).split([HIDDEN] * 3, -1))
        mm_3: "f16[48, 384][384, 1]cpu" = torch.ops.aten.mm.default(add_2, arg8_1);  arg8_1 = None
        split_with_sizes_3 = torch.ops.aten.split_with_sizes.default(mm_3, [128, 128, 128], -1);  mm_3 = None
        getitem_21: "f16[48, 128][384, 1]cpu" = split_with_sizes_3[0]
        getitem_22: "f16[48, 128][384, 1]cpu" = split_with_sizes_3[1]
        getitem_23: "f16[48, 128][384, 1]cpu" = split_with_sizes_3[2];  split_with_sizes_3 = None

        # File: /home/sgl/conformance/examples/record_sglang.py:177 in <genexpr>, code: q, k, v = (t.view(-1, heads, dim) for t in (x @ qkv).split([HIDDEN] * 3, -1))
        view_15: "f16[48, 4, 32][384, 32, 1]cpu" = torch.ops.aten.reshape.default(getitem_21, [-1, 4, 32]);  getitem_21 = None
        view_16: "f16[48, 4, 32][384, 32, 1]cpu" = torch.ops.aten.reshape.default(getitem_22, [-1, 4, 32]);  getitem_22 = None
        view_17: "f16[48, 4, 32][384, 32, 1]cpu" = torch.ops.aten.reshape.default(getitem_23, [-1, 4, 32]);  getitem_23 = None

        # File: /home/sgl/conformance/examples/record_sglang.py:178 in model, code: attention = torch.empty(TOKENS, heads, dim, dtype=HALF)
        empty_6: "f16[48, 4, 32][128, 32, 1]cpu" = torch.ops.aten.empty.memory_format([48, 4, 32], dtype = torch.float16, device = device(type='cpu'), pin_memory = False)

        # File: /home/sgl/conformance/examples/record_sglang.py:179 in model, code: torch.ops.sglang.attention_with_output(q, k, v, attention, i)
        auto_functionalized_v2_6 = torch.ops.higher_order.auto_functionalized_v2(torch.ops.sglang.attention_with_output.default, query = view_15, key = view_16, value = view_17, layer_id = 3, output_scale = None, _output_base_index = 0, _all_bases = [empty_6]);  view_15 = view_16 = view_17 = empty_6 = None
        getitem_25: "f16[48, 4, 32][128, 32, 1]cpu" = auto_functionalized_v2_6[1];  auto_functionalized_v2_6 = None

        # File: /home/sgl/conformance/examples/record_sglang.py:101 in quant, code: kernel.sgl_per_tensor_quant_fp8(x, codes, scale, static)
        view_19: "f16[48, 128][128, 1]cpu" = torch.ops.aten.reshape.default(getitem_25, [-1, 128]);  getitem_25 = None

        # File: /home/sgl/conformance/examples/record_sglang.py:100 in quant, code: codes = torch.empty(x.shape, dtype=FP8)
        empty_7: "f8e4m3fn[48, 128][128, 1]cpu" = torch.ops.aten.empty.memory_format([48, 128], dtype = torch.float8_e4m3fn, device = device(type='cpu'), pin_memory = False)

        # File: /home/sgl/conformance/examples/record_sglang.py:101 in quant, code: kernel.sgl_per_tensor_quant_fp8(x, codes, scale, static)
        auto_functionalized_v2_7 = torch.ops.higher_order.auto_functionalized_v2(torch.ops.sgl_kernel.sgl_per_tensor_quant_fp8.default, input = view_19, output_s = arg2_1, is_static = True, _output_q_base_index = 0, _all_bases = [empty_7]);  view_19 = empty_7 = None
        getitem_27: "f8e4m3fn[48, 128][128, 1]cpu" = auto_functionalized_v2_7[1];  auto_functionalized_v2_7 = None

        # File: /home/sgl/conformance/examples/record_sglang.py:106 in product, code: return kernel.fp8_scaled_mm(codes, w, scale, scale, dtype, None)
        fp8_scaled_mm_3: "f16[48, 128][128, 1]cpu" = torch.ops.sgl_kernel.fp8_scaled_mm.default(getitem_27, arg9_1, arg2_1, arg2_1, torch.float16, None);  getitem_27 = arg9_1 = None

        # File: /home/sgl/conformance/examples/record_sglang.py:181 in model, code: x = x + product(quant(flat, scale), o, scale)
        add_3: "f16[48, 128][128, 1]cpu" = torch.ops.aten.add.Tensor(add_2, fp8_scaled_mm_3);  add_2 = fp8_scaled_mm_3 = None

        # File: /home/sgl/conformance/examples/record_sglang.py:177 in model, code: q, k, v = (t.view(-1, heads, dim) for t in (x @ qkv).split([HIDDEN] * 3, -1))
        mm_4: "f16[48, 384][384, 1]cpu" = torch.ops.aten.mm.default(add_3, arg10_1);  arg10_1 = None
        split_with_sizes_4 = torch.ops.aten.split_with_sizes.default(mm_4, [128, 128, 128], -1);  mm_4 = None
        getitem_28: "f16[48, 128][384, 1]cpu" = split_with_sizes_4[0]
        getitem_29: "f16[48, 128][384, 1]cpu" = split_with_sizes_4[1]
        getitem_30: "f16[48, 128][384, 1]cpu" = split_with_sizes_4[2];  split_with_sizes_4 = None

        # File: /home/sgl/conformance/examples/record_sglang.py:177 in <genexpr>, code: q, k, v = (t.view(-1, heads, dim) for t in (x @ qkv).split([HIDDEN] * 3, -1))
        view_20: "f16[48, 4, 32][384, 32, 1]cpu" = torch.ops.aten.reshape.default(getitem_28, [-1, 4, 32]);  getitem_28 = None
        view_21: "f16[48, 4, 32][384, 32, 1]cpu" = torch.ops.aten.reshape.default(getitem_29, [-1, 4, 32]);  getitem_29 = None
        view_22: "f16[48, 4, 32][384, 32, 1]cpu" = torch.ops.aten.reshape.default(getitem_30, [-1, 4, 32]);  getitem_30 = None

        # File: /home/sgl/conformance/examples/record_sglang.py:178 in model, code: attention = torch.empty(TOKENS, heads, dim, dtype=HALF)
        empty_8: "f16[48, 4, 32][128, 32, 1]cpu" = torch.ops.aten.empty.memory_format([48, 4, 32], dtype = torch.float16, device = device(type='cpu'), pin_memory = False)

        # File: /home/sgl/conformance/examples/record_sglang.py:179 in model, code: torch.ops.sglang.attention_with_output(q, k, v, attention, i)
        auto_functionalized_v2_8 = torch.ops.higher_order.auto_functionalized_v2(torch.ops.sglang.attention_with_output.default, query = view_20, key = view_21, value = view_22, layer_id = 4, output_scale = None, _output_base_index = 0, _all_bases = [empty_8]);  view_20 = view_21 = view_22 = empty_8 = None
        getitem_32: "f16[48, 4, 32][128, 32, 1]cpu" = auto_functionalized_v2_8[1];  auto_functionalized_v2_8 = None

        # File: /home/sgl/conformance/examples/record_sglang.py:101 in quant, code: kernel.sgl_per_tensor_quant_fp8(x, codes, scale, static)
        view_24: "f16[48, 128][128, 1]cpu" = torch.ops.aten.reshape.default(getitem_32, [-1, 128]);  getitem_32 = None

        # File: /home/sgl/conformance/examples/record_sglang.py:100 in quant, code: codes = torch.empty(x.shape, dtype=FP8)
        empty_9: "f8e4m3fn[48, 128][128, 1]cpu" = torch.ops.aten.empty.memory_format([48, 128], dtype = torch.float8_e4m3fn, device = device(type='cpu'), pin_memory = False)

        # File: /home/sgl/conformance/examples/record_sglang.py:101 in quant, code: kernel.sgl_per_tensor_quant_fp8(x, codes, scale, static)
        auto_functionalized_v2_9 = torch.ops.higher_order.auto_functionalized_v2(torch.ops.sgl_kernel.sgl_per_tensor_quant_fp8.default, input = view_24, output_s = arg2_1, is_static = True, _output_q_base_index = 0, _all_bases = [empty_9]);  view_24 = empty_9 = None
        getitem_34: "f8e4m3fn[48, 128][128, 1]cpu" = auto_functionalized_v2_9[1];  auto_functionalized_v2_9 = None

        # File: /home/sgl/conformance/examples/record_sglang.py:106 in product, code: return kernel.fp8_scaled_mm(codes, w, scale, scale, dtype, None)
        fp8_scaled_mm_4: "f16[48, 128][128, 1]cpu" = torch.ops.sgl_kernel.fp8_scaled_mm.default(getitem_34, arg11_1, arg2_1, arg2_1, torch.float16, None);  getitem_34 = arg11_1 = None

        # File: /home/sgl/conformance/examples/record_sglang.py:181 in model, code: x = x + product(quant(flat, scale), o, scale)
        add_4: "f16[48, 128][128, 1]cpu" = torch.ops.aten.add.Tensor(add_3, fp8_scaled_mm_4);  add_3 = fp8_scaled_mm_4 = None

        # File: /home/sgl/conformance/examples/record_sglang.py:177 in model, code: q, k, v = (t.view(-1, heads, dim) for t in (x @ qkv).split([HIDDEN] * 3, -1))
        mm_5: "f16[48, 384][384, 1]cpu" = torch.ops.aten.mm.default(add_4, arg12_1);  arg12_1 = None
        split_with_sizes_5 = torch.ops.aten.split_with_sizes.default(mm_5, [128, 128, 128], -1);  mm_5 = None
        getitem_35: "f16[48, 128][384, 1]cpu" = split_with_sizes_5[0]
        getitem_36: "f16[48, 128][384, 1]cpu" = split_with_sizes_5[1]
        getitem_37: "f16[48, 128][384, 1]cpu" = split_with_sizes_5[2];  split_with_sizes_5 = None

        # File: /home/sgl/conformance/examples/record_sglang.py:177 in <genexpr>, code: q, k, v = (t.view(-1, heads, dim) for t in (x @ qkv).split([HIDDEN] * 3, -1))
        view_25: "f16[48, 4, 32][384, 32, 1]cpu" = torch.ops.aten.reshape.default(getitem_35, [-1, 4, 32]);  getitem_35 = None
        view_26: "f16[48, 4, 32][384, 32, 1]cpu" = torch.ops.aten.reshape.default(getitem_36, [-1, 4, 32]);  getitem_36 = None
        view_27: "f16[48, 4, 32][384, 32, 1]cpu" = torch.ops.aten.reshape.default(getitem_37, [-1, 4, 32]);  getitem_37 = None

        # File: /home/sgl/conformance/examples/record_sglang.py:178 in model, code: attention = torch.empty(TOKENS, heads, dim, dtype=HALF)
        empty_10: "f16[48, 4, 32][128, 32, 1]cpu" = torch.ops.aten.empty.memory_format([48, 4, 32], dtype = torch.float16, device = device(type='cpu'), pin_memory = False)

        # File: /home/sgl/conformance/examples/record_sglang.py:179 in model, code: torch.ops.sglang.attention_with_output(q, k, v, attention, i)
        auto_functionalized_v2_10 = torch.ops.higher_order.auto_functionalized_v2(torch.ops.sglang.attention_with_output.default, query = view_25, key = view_26, value = view_27, layer_id = 5, output_scale = None, _output_base_index = 0, _all_bases = [empty_10]);  view_25 = view_26 = view_27 = empty_10 = None
        getitem_39: "f16[48, 4, 32][128, 32, 1]cpu" = auto_functionalized_v2_10[1];  auto_functionalized_v2_10 = None

        # File: /home/sgl/conformance/examples/record_sglang.py:101 in quant, code: kernel.sgl_per_tensor_quant_fp8(x, codes, scale, static)
        view_29: "f16[48, 128][128, 1]cpu" = torch.ops.aten.reshape.default(getitem_39, [-1, 128]);  getitem_39 = None

        # File: /home/sgl/conformance/examples/record_sglang.py:100 in quant, code: codes = torch.empty(x.shape, dtype=FP8)
        empty_11: "f8e4m3fn[48, 128][128, 1]cpu" = torch.ops.aten.empty.memory_format([48, 128], dtype = torch.float8_e4m3fn, device = device(type='cpu'), pin_memory = False)

        # File: /home/sgl/conformance/examples/record_sglang.py:101 in quant, code: kernel.sgl_per_tensor_quant_fp8(x, codes, scale, static)
        auto_functionalized_v2_11 = torch.ops.higher_order.auto_functionalized_v2(torch.ops.sgl_kernel.sgl_per_tensor_quant_fp8.default, input = view_29, output_s = arg2_1, is_static = True, _output_q_base_index = 0, _all_bases = [empty_11]);  view_29 = empty_11 = None
        getitem_41: "f8e4m3fn[48, 128][128, 1]cpu" = auto_functionalized_v2_11[1];  auto_functionalized_v2_11 = None

        # File: /home/sgl/conformance/examples/record_sglang.py:106 in product, code: return kernel.fp8_scaled_mm(codes, w, scale, scale, dtype, None)
        fp8_scaled_mm_5: "f16[48, 128][128, 1]cpu" = torch.ops.sgl_kernel.fp8_scaled_mm.default(getitem_41, arg13_1, arg2_1, arg2_1, torch.float16, None);  getitem_41 = arg13_1 = None

        # File: /home/sgl/conformance/examples/record_sglang.py:181 in model, code: x = x + product(quant(flat, scale), o, scale)
        add_5: "f16[48, 128][128, 1]cpu" = torch.ops.aten.add.Tensor(add_4, fp8_scaled_mm_5);  add_4 = fp8_scaled_mm_5 = None

        # File: /home/sgl/conformance/examples/record_sglang.py:177 in model, code: q, k, v = (t.view(-1, heads, dim) for t in (x @ qkv).split([HIDDEN] * 3, -1))
        mm_6: "f16[48, 384][384, 1]cpu" = torch.ops.aten.mm.default(add_5, arg14_1);  arg14_1 = None
        split_with_sizes_6 = torch.ops.aten.split_with_sizes.default(mm_6, [128, 128, 128], -1);  mm_6 = None
        getitem_42: "f16[48, 128][384, 1]cpu" = split_with_sizes_6[0]
        getitem_43: "f16[48, 128][384, 1]cpu" = split_with_sizes_6[1]
        getitem_44: "f16[48, 128][384, 1]cpu" = split_with_sizes_6[2];  split_with_sizes_6 = None

        # File: /home/sgl/conformance/examples/record_sglang.py:177 in <genexpr>, code: q, k, v = (t.view(-1, heads, dim) for t in (x @ qkv).split([HIDDEN] * 3, -1))
        view_30: "f16[48, 4, 32][384, 32, 1]cpu" = torch.ops.aten.reshape.default(getitem_42, [-1, 4, 32]);  getitem_42 = None
        view_31: "f16[48, 4, 32][384, 32, 1]cpu" = torch.ops.aten.reshape.default(getitem_43, [-1, 4, 32]);  getitem_43 = None
        view_32: "f16[48, 4, 32][384, 32, 1]cpu" = torch.ops.aten.reshape.default(getitem_44, [-1, 4, 32]);  getitem_44 = None

        # File: /home/sgl/conformance/examples/record_sglang.py:178 in model, code: attention = torch.empty(TOKENS, heads, dim, dtype=HALF)
        empty_12: "f16[48, 4, 32][128, 32, 1]cpu" = torch.ops.aten.empty.memory_format([48, 4, 32], dtype = torch.float16, device = device(type='cpu'), pin_memory = False)

        # File: /home/sgl/conformance/examples/record_sglang.py:179 in model, code: torch.ops.sglang.attention_with_output(q, k, v, attention, i)
        auto_functionalized_v2_12 = torch.ops.higher_order.auto_functionalized_v2(torch.ops.sglang.attention_with_output.default, query = view_30, key = view_31, value = view_32, layer_id = 6, output_scale = None, _output_base_index = 0, _all_bases = [empty_12]);  view_30 = view_31 = view_32 = empty_12 = None
        getitem_46: "f16[48, 4, 32][128, 32, 1]cpu" = auto_functionalized_v2_12[1];  auto_functionalized_v2_12 = None

        # File: /home/sgl/conformance/examples/record_sglang.py:101 in quant, code: kernel.sgl_per_tensor_quant_fp8(x, codes, scale, static)
        view_34: "f16[48, 128][128, 1]cpu" = torch.ops.aten.reshape.default(getitem_46, [-1, 128]);  getitem_46 = None

        # File: /home/sgl/conformance/examples/record_sglang.py:100 in quant, code: codes = torch.empty(x.shape, dtype=FP8)
        empty_13: "f8e4m3fn[48, 128][128, 1]cpu" = torch.ops.aten.empty.memory_format([48, 128], dtype = torch.float8_e4m3fn, device = device(type='cpu'), pin_memory = False)

        # File: /home/sgl/conformance/examples/record_sglang.py:101 in quant, code: kernel.sgl_per_tensor_quant_fp8(x, codes, scale, static)
        auto_functionalized_v2_13 = torch.ops.higher_order.auto_functionalized_v2(torch.ops.sgl_kernel.sgl_per_tensor_quant_fp8.default, input = view_34, output_s = arg2_1, is_static = True, _output_q_base_index = 0, _all_bases = [empty_13]);  view_34 = empty_13 = None
        getitem_48: "f8e4m3fn[48, 128][128, 1]cpu" = auto_functionalized_v2_13[1];  auto_functionalized_v2_13 = None

        # File: /home/sgl/conformance/examples/record_sglang.py:106 in product, code: return kernel.fp8_scaled_mm(codes, w, scale, scale, dtype, None)
        fp8_scaled_mm_6: "f16[48, 128][128, 1]cpu" = torch.ops.sgl_kernel.fp8_scaled_mm.default(getitem_48, arg15_1, arg2_1, arg2_1, torch.float16, None);  getitem_48 = arg15_1 = None

        # File: /home/sgl/conformance/examples/record_sglang.py:181 in model, code: x = x + product(quant(flat, scale), o, scale)
        add_6: "f16[48, 128][128, 1]cpu" = torch.ops.aten.add.Tensor(add_5, fp8_scaled_mm_6);  add_5 = fp8_scaled_mm_6 = None

        # File: /home/sgl/conformance/examples/record_sglang.py:177 in model, code: q, k, v = (t.view(-1, heads, dim) for t in (x @ qkv).split([HIDDEN] * 3, -1))
        mm_7: "f16[48, 384][384, 1]cpu" = torch.ops.aten.mm.default(add_6, arg16_1);  arg16_1 = None
        split_with_sizes_7 = torch.ops.aten.split_with_sizes.default(mm_7, [128, 128, 128], -1);  mm_7 = None
        getitem_49: "f16[48, 128][384, 1]cpu" = split_with_sizes_7[0]
        getitem_50: "f16[48, 128][384, 1]cpu" = split_with_sizes_7[1]
        getitem_51: "f16[48, 128][384, 1]cpu" = split_with_sizes_7[2];  split_with_sizes_7 = None

        # File: /home/sgl/conformance/examples/record_sglang.py:177 in <genexpr>, code: q, k, v = (t.view(-1, heads, dim) for t in (x @ qkv).split([HIDDEN] * 3, -1))
        view_35: "f16[48, 4, 32][384, 32, 1]cpu" = torch.ops.aten.reshape.default(getitem_49, [-1, 4, 32]);  getitem_49 = None
        view_36: "f16[48, 4, 32][384, 32, 1]cpu" = torch.ops.aten.reshape.default(getitem_50, [-1, 4, 32]);  getitem_50 = None
        view_37: "f16[48, 4, 32][384, 32, 1]cpu" = torch.ops.aten.reshape.default(getitem_51, [-1, 4, 32]);  getitem_51 = None

        # File: /home/sgl/conformance/examples/record_sglang.py:178 in model, code: attention = torch.empty(TOKENS, heads, dim, dtype=HALF)
        empty_14: "f16[48, 4, 32][128, 32, 1]cpu" = torch.ops.aten.empty.memory_format([48, 4, 32], dtype = torch.float16, device = device(type='cpu'), pin_memory = False)

        # File: /home/sgl/conformance/examples/record_sglang.py:179 in model, code: torch.ops.sglang.attention_with_output(q, k, v, attention, i)
        auto_functionalized_v2_14 = torch.ops.higher_order.auto_functionalized_v2(torch.ops.sglang.attention_with_output.default, query = view_35, key = view_36, value = view_37, layer_id = 7, output_scale = None, _output_base_index = 0, _all_bases = [empty_14]);  view_35 = view_36 = view_37 = empty_14 = None
        getitem_53: "f16[48, 4, 32][128, 32, 1]cpu" = auto_functionalized_v2_14[1];  auto_functionalized_v2_14 = None

        # File: /home/sgl/conformance/examples/record_sglang.py:101 in quant, code: kernel.sgl_per_tensor_quant_fp8(x, codes, scale, static)
        view_39: "f16[48, 128][128, 1]cpu" = torch.ops.aten.reshape.default(getitem_53, [-1, 128]);  getitem_53 = None

        # File: /home/sgl/conformance/examples/record_sglang.py:100 in quant, code: codes = torch.empty(x.shape, dtype=FP8)
        empty_15: "f8e4m3fn[48, 128][128, 1]cpu" = torch.ops.aten.empty.memory_format([48, 128], dtype = torch.float8_e4m3fn, device = device(type='cpu'), pin_memory = False)

        # File: /home/sgl/conformance/examples/record_sglang.py:101 in quant, code: kernel.sgl_per_tensor_quant_fp8(x, codes, scale, static)
        auto_functionalized_v2_15 = torch.ops.higher_order.auto_functionalized_v2(torch.ops.sgl_kernel.sgl_per_tensor_quant_fp8.default, input = view_39, output_s = arg2_1, is_static = True, _output_q_base_index = 0, _all_bases = [empty_15]);  empty_15 = None
        getitem_55: "f8e4m3fn[48, 128][128, 1]cpu" = auto_functionalized_v2_15[1];  auto_functionalized_v2_15 = None

        # File: /home/sgl/conformance/examples/record_sglang.py:106 in product, code: return kernel.fp8_scaled_mm(codes, w, scale, scale, dtype, None)
        fp8_scaled_mm_7: "f16[48, 128][128, 1]cpu" = torch.ops.sgl_kernel.fp8_scaled_mm.default(getitem_55, arg17_1, arg2_1, arg2_1, torch.float16, None);  getitem_55 = arg17_1 = arg2_1 = None

        # File: /home/sgl/conformance/examples/record_sglang.py:181 in model, code: x = x + product(quant(flat, scale), o, scale)
        add_7: "f16[48, 128][128, 1]cpu" = torch.ops.aten.add.Tensor(add_6, fp8_scaled_mm_7);  add_6 = fp8_scaled_mm_7 = None
        return (add_7, view_39)
