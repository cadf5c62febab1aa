class <lambda>(torch.nn.Module):
    def forward(self, arg0_1: "f16[48, 128][128, 1]cpu", arg1_1: "f16[128, 8][8, 1]cpu", arg2_1: "f16[8, 128, 512][65536, 512, 1]cpu", arg3_1: "f16[8, 256, 128][32768, 128, 1]cpu", arg4_1: "f16[128, 8][8, 1]cpu", arg5_1: "f16[8, 128, 512][65536, 512, 1]cpu", arg6_1: "f16[8, 256, 128][32768, 128, 1]cpu", arg7_1: "f16[128, 8][8, 1]cpu", arg8_1: "f16[8, 128, 512][65536, 512, 1]cpu", arg9_1: "f16[8, 256, 128][32768, 128, 1]cpu", arg10_1: "f16[128, 8][8, 1]cpu", arg11_1: "f16[8, 128, 512][65536, 512, 1]cpu", arg12_1: "f16[8, 256, 128][32768, 128, 1]cpu"):
        # File: /home/sgl/conformance/examples/record_sglang.py:160 in model, code: kernel.topk_softmax(weights, ids, (x @ gate).float(), False)
        mm: "f16[48, 8][8, 1]cpu" = torch.ops.aten.mm.default(arg0_1, arg1_1);  arg1_1 = None
        convert_element_type_2: "f32[48, 8][8, 1]cpu" = torch.ops.prims.convert_element_type.default(mm, torch.float32);  mm = None

        # File: /home/sgl/conformance/examples/record_sglang.py:158 in model, code: weights = torch.empty(TOKENS, 2, dtype=torch.float32)
        empty: "f32[48, 2][2, 1]cpu" = torch.ops.aten.empty.memory_format([48, 2], dtype = torch.float32, device = device(type='cpu'), pin_memory = False)

        # File: /home/sgl/conformance/examples/record_sglang.py:159 in model, code: ids = torch.empty(TOKENS, 2, dtype=torch.int32)
        empty_1: "i32[48, 2][2, 1]cpu" = torch.ops.aten.empty.memory_format([48, 2], dtype = torch.int32, device = device(type='cpu'), pin_memory = False)

        # File: /home/sgl/conformance/examples/record_sglang.py:160 in model, code: kernel.topk_softmax(weights, ids, (x @ gate).float(), False)
        auto_functionalized_v2 = torch.ops.higher_order.auto_functionalized_v2(torch.ops.sgl_kernel.topk_softmax.default, gating_output = convert_element_type_2, renormalize = False, _topk_weights_base_index = 0, _topk_indices_base_index = 1, _all_bases = [empty, empty_1]);  convert_element_type_2 = empty = empty_1 = None
        getitem_1: "f32[48, 2][2, 1]cpu" = auto_functionalized_v2[1]
        getitem_2: "i32[48, 2][2, 1]cpu" = auto_functionalized_v2[2];  auto_functionalized_v2 = None

        # File: /home/sgl/conformance/examples/record_sglang.py:161 in model, code: act = silu_and_mul(g.grouped_mm(x.repeat(2, 1), up, ids))
        repeat: "f16[96, 128][128, 1]cpu" = torch.ops.aten.repeat.default(arg0_1, [2, 1])
        grouped_mm: "f16[96, 512][512, 1]cpu" = torch.ops.sglang.grouped_mm.default(repeat, arg2_1, getitem_2);  repeat = arg2_1 = None

        # File: /home/sgl/conformance/examples/record_sglang.py:94 in silu_and_mul, code: act = torch.empty(x.shape[0], x.shape[1] // 2, dtype=x.dtype) if act is None else act
        empty_2: "f16[96, 256][256, 1]cpu" = torch.ops.aten.empty.memory_format([96, 256], dtype = torch.float16, device = device(type='cpu'), pin_memory = False)

        # File: /home/sgl/conformance/examples/record_sglang.py:95 in silu_and_mul, code: kernel.silu_and_mul(act, x)
        auto_functionalized_v2_1 = torch.ops.higher_order.auto_functionalized_v2(torch.ops.sgl_kernel.silu_and_mul.default, input = grouped_mm, _out_base_index = 0, _all_bases = [empty_2]);  grouped_mm = empty_2 = None
        getitem_4: "f16[96, 256][256, 1]cpu" = auto_functionalized_v2_1[1];  auto_functionalized_v2_1 = None

        # File: /home/sgl/conformance/examples/record_sglang.py:162 in model, code: x = x + g.combine(g.grouped_mm(act, down, ids), weights)
        grouped_mm_1: "f16[96, 128][128, 1]cpu" = torch.ops.sglang.grouped_mm.default(getitem_4, arg3_1, getitem_2);  getitem_4 = arg3_1 = getitem_2 = None
        combine: "f16[48, 128][128, 1]cpu" = torch.ops.sglang.combine.default(grouped_mm_1, getitem_1);  grouped_mm_1 = getitem_1 = None
        add: "f16[48, 128][128, 1]cpu" = torch.ops.aten.add.Tensor(arg0_1, combine);  arg0_1 = combine = None

        # File: /home/sgl/conformance/examples/record_sglang.py:160 in model, code: kernel.topk_softmax(weights, ids, (x @ gate).float(), False)
        mm_1: "f16[48, 8][8, 1]cpu" = torch.ops.aten.mm.default(add, arg4_1);  arg4_1 = None
        convert_element_type_5: "f32[48, 8][8, 1]cpu" = torch.ops.prims.convert_element_type.default(mm_1, torch.float32);  mm_1 = None

        # File: /home/sgl/conformance/examples/record_sglang.py:158 in model, code: weights = torch.empty(TOKENS, 2, dtype=torch.float32)
        empty_3: "f32[48, 2][2, 1]cpu" = torch.ops.aten.empty.memory_format([48, 2], dtype = torch.float32, device = device(type='cpu'), pin_memory = False)

        # File: /home/sgl/conformance/examples/record_sglang.py:159 in model, code: ids = torch.empty(TOKENS, 2, dtype=torch.int32)
        empty_4: "i32[48, 2][2, 1]cpu" = torch.ops.aten.empty.memory_format([48, 2], dtype = torch.int32, device = device(type='cpu'), pin_memory = False)

        # File: /home/sgl/conformance/examples/record_sglang.py:160 in model, code: kernel.topk_softmax(weights, ids, (x @ gate).float(), False)
        auto_functionalized_v2_2 = torch.ops.higher_order.auto_functionalized_v2(torch.ops.sgl_kernel.topk_softmax.default, gating_output = convert_element_type_5, renormalize = False, _topk_weights_base_index = 0, _topk_indices_base_index = 1, _all_bases = [empty_3, empty_4]);  convert_element_type_5 = empty_3 = empty_4 = None
        getitem_6: "f32[48, 2][2, 1]cpu" = auto_functionalized_v2_2[1]
        getitem_7: "i32[48, 2][2, 1]cpu" = auto_functionalized_v2_2[2];  auto_functionalized_v2_2 = None

        # File: /home/sgl/conformance/examples/record_sglang.py:161 in model, code: act = silu_and_mul(g.grouped_mm(x.repeat(2, 1), up, ids))
        repeat_1: "f16[96, 128][128, 1]cpu" = torch.ops.aten.repeat.default(add, [2, 1])
        grouped_mm_2: "f16[96, 512][512, 1]cpu" = torch.ops.sglang.grouped_mm.default(repeat_1, arg5_1, getitem_7);  repeat_1 = arg5_1 = None

        # File: /home/sgl/conformance/examples/record_sglang.py:94 in silu_and_mul, code: act = torch.empty(x.shape[0], x.shape[1] // 2, dtype=x.dtype) if act is None else act
        empty_5: "f16[96, 256][256, 1]cpu" = torch.ops.aten.empty.memory_format([96, 256], dtype = torch.float16, device = device(type='cpu'), pin_memory = False)

        # File: /home/sgl/conformance/examples/record_sglang.py:95 in silu_and_mul, code: kernel.silu_and_mul(act, x)
        auto_functionalized_v2_3 = torch.ops.higher_order.auto_functionalized_v2(torch.ops.sgl_kernel.silu_and_mul.default, input = grouped_mm_2, _out_base_index = 0, _all_bases = [empty_5]);  grouped_mm_2 = empty_5 = None
        getitem_9: "f16[96, 256][256, 1]cpu" = auto_functionalized_v2_3[1];  auto_functionalized_v2_3 = None

        # File: /home/sgl/conformance/examples/record_sglang.py:162 in model, code: x = x + g.combine(g.grouped_mm(act, down, ids), weights)
        grouped_mm_3: "f16[96, 128][128, 1]cpu" = torch.ops.sglang.grouped_mm.default(getitem_9, arg6_1, getitem_7);  getitem_9 = arg6_1 = None
        combine_1: "f16[48, 128][128, 1]cpu" = torch.ops.sglang.combine.default(grouped_mm_3, getitem_6);  grouped_mm_3 = getitem_6 = None
        add_1: "f16[48, 128][128, 1]cpu" = torch.ops.aten.add.Tensor(add, combine_1);  add = combine_1 = None

        # File: /home/sgl/conformance/examples/record_sglang.py:160 in model, code: kernel.topk_softmax(weights, ids, (x @ gate).float(), False)
        mm_2: "f16[48, 8][8, 1]cpu" = torch.ops.aten.mm.default(add_1, arg7_1);  arg7_1 = None
        convert_element_type_8: "f32[48, 8][8, 1]cpu" = torch.ops.prims.convert_element_type.default(mm_2, torch.float32);  mm_2 = None

        # File: /home/sgl/conformance/examples/record_sglang.py:158 in model, code: weights = torch.empty(TOKENS, 2, dtype=torch.float32)
        empty_6: "f32[48, 2][2, 1]cpu" = torch.ops.aten.empty.memory_format([48, 2], dtype = torch.float32, device = device(type='cpu'), pin_memory = False)

        # File: /home/sgl/conformance/examples/record_sglang.py:159 in model, code: ids = torch.empty(TOKENS, 2, dtype=torch.int32)
        empty_7: "i32[48, 2][2, 1]cpu" = torch.ops.aten.empty.memory_format([48, 2], dtype = torch.int32, device = device(type='cpu'), pin_memory = False)

        # File: /home/sgl/conformance/examples/record_sglang.py:160 in model, code: kernel.topk_softmax(weights, ids, (x @ gate).float(), False)
        auto_functionalized_v2_4 = torch.ops.higher_order.auto_functionalized_v2(torch.ops.sgl_kernel.topk_softmax.default, gating_output = convert_element_type_8, renormalize = False, _topk_weights_base_index = 0, _topk_indices_base_index = 1, _all_bases = [empty_6, empty_7]);  convert_element_type_8 = empty_6 = empty_7 = None
        getitem_11: "f32[48, 2][2, 1]cpu" = auto_functionalized_v2_4[1]
        getitem_12: "i32[48, 2][2, 1]cpu" = auto_functionalized_v2_4[2];  auto_functionalized_v2_4 = None

        # File: /home/sgl/conformance/examples/record_sglang.py:161 in model, code: act = silu_and_mul(g.grouped_mm(x.repeat(2, 1), up, ids))
        repeat_2: "f16[96, 128][128, 1]cpu" = torch.ops.aten.repeat.default(add_1, [2, 1])
        grouped_mm_4: "f16[96, 512][512, 1]cpu" = torch.ops.sglang.grouped_mm.default(repeat_2, arg8_1, getitem_12);  repeat_2 = arg8_1 = None

        # File: /home/sgl/conformance/examples/record_sglang.py:94 in silu_and_mul, code: act = torch.empty(x.shape[0], x.shape[1] // 2, dtype=x.dtype) if act is None else act
        empty_8: "f16[96, 256][256, 1]cpu" = torch.ops.aten.empty.memory_format([96, 256], dtype = torch.float16, device = device(type='cpu'), pin_memory = False)

        # File: /home/sgl/conformance/examples/record_sglang.py:95 in silu_and_mul, code: kernel.silu_and_mul(act, x)
        auto_functionalized_v2_5 = torch.ops.higher_order.auto_functionalized_v2(torch.ops.sgl_kernel.silu_and_mul.default, input = grouped_mm_4, _out_base_index = 0, _all_bases = [empty_8]);  grouped_mm_4 = empty_8 = None
        getitem_14: "f16[96, 256][256, 1]cpu" = auto_functionalized_v2_5[1];  auto_functionalized_v2_5 = None

        # File: /home/sgl/conformance/examples/record_sglang.py:162 in model, code: x = x + g.combine(g.grouped_mm(act, down, ids), weights)
        grouped_mm_5: "f16[96, 128][128, 1]cpu" = torch.ops.sglang.grouped_mm.default(getitem_14, arg9_1, getitem_12);  getitem_14 = arg9_1 = getitem_12 = None
        combine_2: "f16[48, 128][128, 1]cpu" = torch.ops.sglang.combine.default(grouped_mm_5, getitem_11);  grouped_mm_5 = getitem_11 = None
        add_2: "f16[48, 128][128, 1]cpu" = torch.ops.aten.add.Tensor(add_1, combine_2);  add_1 = combine_2 = None

        # File: /home/sgl/conformance/examples/record_sglang.py:160 in model, code: kernel.topk_softmax(weights, ids, (x @ gate).float(), False)
        mm_3: "f16[48, 8][8, 1]cpu" = torch.ops.aten.mm.default(add_2, arg10_1);  arg10_1 = None
        convert_element_type_11: "f32[48, 8][8, 1]cpu" = torch.ops.prims.convert_element_type.default(mm_3, torch.float32);  mm_3 = None

        # File: /home/sgl/conformance/examples/record_sglang.py:158 in model, code: weights = torch.empty(TOKENS, 2, dtype=torch.float32)
        empty_9: "f32[48, 2][2, 1]cpu" = torch.ops.aten.empty.memory_format([48, 2], dtype = torch.float32, device = device(type='cpu'), pin_memory = False)

        # File: /home/sgl/conformance/examples/record_sglang.py:159 in model, code: ids = torch.empty(TOKENS, 2, dtype=torch.int32)
        empty_10: "i32[48, 2][2, 1]cpu" = torch.ops.aten.empty.memory_format([48, 2], dtype = torch.int32, device = device(type='cpu'), pin_memory = False)

        # File: /home/sgl/conformance/examples/record_sglang.py:160 in model, code: kernel.topk_softmax(weights, ids, (x @ gate).float(), False)
        auto_functionalized_v2_6 = torch.ops.higher_order.auto_functionalized_v2(torch.ops.sgl_kernel.topk_softmax.default, gating_output = convert_element_type_11, renormalize = False, _topk_weights_base_index = 0, _topk_indices_base_index = 1, _all_bases = [empty_9, empty_10]);  convert_element_type_11 = empty_9 = empty_10 = None
        getitem_16: "f32[48, 2][2, 1]cpu" = auto_functionalized_v2_6[1]
        getitem_17: "i32[48, 2][2, 1]cpu" = auto_functionalized_v2_6[2];  auto_functionalized_v2_6 = None

        # File: /home/sgl/conformance/examples/record_sglang.py:161 in model, code: act = silu_and_mul(g.grouped_mm(x.repeat(2, 1), up, ids))
        repeat_3: "f16[96, 128][128, 1]cpu" = torch.ops.aten.repeat.default(add_2, [2, 1])
        grouped_mm_6: "f16[96, 512][512, 1]cpu" = torch.ops.sglang.grouped_mm.default(repeat_3, arg11_1, getitem_17);  repeat_3 = arg11_1 = None

        # File: /home/sgl/conformance/examples/record_sglang.py:94 in silu_and_mul, code: act = torch.empty(x.shape[0], x.shape[1] // 2, dtype=x.dtype) if act is None else act
        empty_11: "f16[96, 256][256, 1]cpu" = torch.ops.aten.empty.memory_format([96, 256], dtype = torch.float16, device = device(type='cpu'), pin_memory = False)

        # File: /home/sgl/conformance/examples/record_sglang.py:95 in silu_and_mul, code: kernel.silu_and_mul(act, x)
        auto_functionalized_v2_7 = torch.ops.higher_order.auto_functionalized_v2(torch.ops.sgl_kernel.silu_and_mul.default, input = grouped_mm_6, _out_base_index = 0, _all_bases = [empty_11]);  grouped_mm_6 = empty_11 = None
        getitem_19: "f16[96, 256][256, 1]cpu" = auto_functionalized_v2_7[1];  auto_functionalized_v2_7 = None

        # File: /home/sgl/conformance/examples/record_sglang.py:162 in model, code: x = x + g.combine(g.grouped_mm(act, down, ids), weights)
        grouped_mm_7: "f16[96, 128][128, 1]cpu" = torch.ops.sglang.grouped_mm.default(getitem_19, arg12_1, getitem_17);  getitem_19 = arg12_1 = None
        combine_3: "f16[48, 128][128, 1]cpu" = torch.ops.sglang.combine.default(grouped_mm_7, getitem_16);  grouped_mm_7 = getitem_16 = None
        add_3: "f16[48, 128][128, 1]cpu" = torch.ops.aten.add.Tensor(add_2, combine_3);  add_2 = combine_3 = None

        # File: /home/sgl/conformance/examples/record_sglang.py:164 in model, code: counted.append((ids == 0).sum())
        eq: "b8[48, 2][2, 1]cpu" = torch.ops.aten.eq.Scalar(getitem_7, 0);  getitem_7 = None
        sum_1: "i64[][]cpu" = torch.ops.aten.sum.default(eq);  eq = None
        eq_1: "b8[48, 2][2, 1]cpu" = torch.ops.aten.eq.Scalar(getitem_17, 0);  getitem_17 = None
        sum_2: "i64[][]cpu" = torch.ops.aten.sum.default(eq_1);  eq_1 = None
        return (add_3, sum_1, sum_2)
