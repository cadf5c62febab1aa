class <lambda>(torch.nn.Module):
    def forward(self, arg0_1: "f16[48, 128][128, 1]cpu", arg1_1: "f16[128, 512][512, 1]cpu", arg2_1: "f16[256, 128][128, 1]cpu", arg3_1: "f16[128, 512][512, 1]cpu", arg4_1: "f16[256, 128][128, 1]cpu", arg5_1: "f16[128, 512][512, 1]cpu", arg6_1: "f16[256, 128][128, 1]cpu", arg7_1: "f16[128, 512][512, 1]cpu", arg8_1: "f16[256, 128][128, 1]cpu", arg9_1: "f16[128, 512][512, 1]cpu", arg10_1: "f16[256, 128][128, 1]cpu", arg11_1: "f16[128, 512][512, 1]cpu", arg12_1: "f16[256, 128][128, 1]cpu", arg13_1: "f16[128, 512][512, 1]cpu", arg14_1: "f16[256, 128][128, 1]cpu", arg15_1: "f16[128, 512][512, 1]cpu", arg16_1: "f16[256, 128][128, 1]cpu", arg17_1: "f16[128, 512][512, 1]cpu", arg18_1: "f16[256, 128][128, 1]cpu", arg19_1: "f16[128, 512][512, 1]cpu", arg20_1: "f16[256, 128][128, 1]cpu", arg21_1: "f16[128, 512][512, 1]cpu", arg22_1: "f16[256, 128][128, 1]cpu", arg23_1: "f16[128, 512][512, 1]cpu", arg24_1: "f16[256, 128][128, 1]cpu"):
        # File: /home/sgl/conformance/examples/record_sglang.py:95 in silu_and_mul, code: act = torch.empty(x.shape[0], x.shape[1] // 2, dtype=x.dtype) if act is None else act
        empty: "f16[48, 256][256, 1]cpu" = torch.ops.aten.empty.memory_format([48, 256], dtype = torch.float16, device = device(type='cpu'), pin_memory = False)

        # File: /home/sgl/conformance/examples/record_sglang.py:115 in model, code: x = x + torch.mm(silu_and_mul(torch.mm(x, up)), down)
        mm: "f16[48, 512][512, 1]cpu" = torch.ops.aten.mm.default(arg0_1, arg1_1);  arg1_1 = None

        # File: /home/sgl/conformance/examples/record_sglang.py:96 in silu_and_mul, code: kernel.silu_and_mul(act, x)
        auto_functionalized = torch.ops.higher_order.auto_functionalized(torch.ops.sgl_kernel.silu_and_mul.default, out = empty, input = mm);  empty = mm = None
        getitem_1: "f16[48, 256][256, 1]cpu" = auto_functionalized[1];  auto_functionalized = None

        # File: /home/sgl/conformance/examples/record_sglang.py:95 in silu_and_mul, code: act = torch.empty(x.shape[0], x.shape[1] // 2, dtype=x.dtype) if act is None else act
        empty_1: "f16[48, 256][256, 1]cpu" = torch.ops.aten.empty.memory_format([48, 256], dtype = torch.float16, device = device(type='cpu'), pin_memory = False)

        # File: /home/sgl/conformance/examples/record_sglang.py:115 in model, code: x = x + torch.mm(silu_and_mul(torch.mm(x, up)), down)
        addmm_default_11: "f16[48, 128][128, 1]cpu" = torch.ops.aten.addmm.default(arg0_1, getitem_1, arg2_1);  arg0_1 = getitem_1 = arg2_1 = None
        mm_2: "f16[48, 512][512, 1]cpu" = torch.ops.aten.mm.default(addmm_default_11, arg3_1);  arg3_1 = None

        # File: /home/sgl/conformance/examples/record_sglang.py:96 in silu_and_mul, code: kernel.silu_and_mul(act, x)
        auto_functionalized_1 = torch.ops.higher_order.auto_functionalized(torch.ops.sgl_kernel.silu_and_mul.default, out = empty_1, input = mm_2);  empty_1 = mm_2 = None
        getitem_3: "f16[48, 256][256, 1]cpu" = auto_functionalized_1[1];  auto_functionalized_1 = None

        # File: /home/sgl/conformance/examples/record_sglang.py:95 in silu_and_mul, code: act = torch.empty(x.shape[0], x.shape[1] // 2, dtype=x.dtype) if act is None else act
        empty_2: "f16[48, 256][256, 1]cpu" = torch.ops.aten.empty.memory_format([48, 256], dtype = torch.float16, device = device(type='cpu'), pin_memory = False)

        # File: /home/sgl/conformance/examples/record_sglang.py:115 in model, code: x = x + torch.mm(silu_and_mul(torch.mm(x, up)), down)
        addmm_default_10: "f16[48, 128][128, 1]cpu" = torch.ops.aten.addmm.default(addmm_default_11, getitem_3, arg4_1);  addmm_default_11 = getitem_3 = arg4_1 = None
        mm_4: "f16[48, 512][512, 1]cpu" = torch.ops.aten.mm.default(addmm_default_10, arg5_1);  arg5_1 = None

        # File: /home/sgl/conformance/examples/record_sglang.py:96 in silu_and_mul, code: kernel.silu_and_mul(act, x)
        auto_functionalized_2 = torch.ops.higher_order.auto_functionalized(torch.ops.sgl_kernel.silu_and_mul.default, out = empty_2, input = mm_4);  empty_2 = mm_4 = None
        getitem_5: "f16[48, 256][256, 1]cpu" = auto_functionalized_2[1];  auto_functionalized_2 = None

        # File: /home/sgl/conformance/examples/record_sglang.py:95 in silu_and_mul, code: act = torch.empty(x.shape[0], x.shape[1] // 2, dtype=x.dtype) if act is None else act
        empty_3: "f16[48, 256][256, 1]cpu" = torch.ops.aten.empty.memory_format([48, 256], dtype = torch.float16, device = device(type='cpu'), pin_memory = False)

        # File: /home/sgl/conformance/examples/record_sglang.py:115 in model, code: x = x + torch.mm(silu_and_mul(torch.mm(x, up)), down)
        addmm_default_9: "f16[48, 128][128, 1]cpu" = torch.ops.aten.addmm.default(addmm_default_10, getitem_5, arg6_1);  addmm_default_10 = getitem_5 = arg6_1 = None
        mm_6: "f16[48, 512][512, 1]cpu" = torch.ops.aten.mm.default(addmm_default_9, arg7_1);  arg7_1 = None

        # File: /home/sgl/conformance/examples/record_sglang.py:96 in silu_and_mul, code: kernel.silu_and_mul(act, x)
        auto_functionalized_3 = torch.ops.higher_order.auto_functionalized(torch.ops.sgl_kernel.silu_and_mul.default, out = empty_3, input = mm_6);  empty_3 = mm_6 = None
        getitem_7: "f16[48, 256][256, 1]cpu" = auto_functionalized_3[1];  auto_functionalized_3 = None

        # File: /home/sgl/conformance/examples/record_sglang.py:95 in silu_and_mul, code: act = torch.empty(x.shape[0], x.shape[1] // 2, dtype=x.dtype) if act is None else act
        empty_4: "f16[48, 256][256, 1]cpu" = torch.ops.aten.empty.memory_format([48, 256], dtype = torch.float16, device = device(type='cpu'), pin_memory = False)

        # File: /home/sgl/conformance/examples/record_sglang.py:115 in model, code: x = x + torch.mm(silu_and_mul(torch.mm(x, up)), down)
        addmm_default_8: "f16[48, 128][128, 1]cpu" = torch.ops.aten.addmm.default(addmm_default_9, getitem_7, arg8_1);  addmm_default_9 = getitem_7 = arg8_1 = None
        mm_8: "f16[48, 512][512, 1]cpu" = torch.ops.aten.mm.default(addmm_default_8, arg9_1);  arg9_1 = None

        # File: /home/sgl/conformance/examples/record_sglang.py:96 in silu_and_mul, code: kernel.silu_and_mul(act, x)
        auto_functionalized_4 = torch.ops.higher_order.auto_functionalized(torch.ops.sgl_kernel.silu_and_mul.default, out = empty_4, input = mm_8);  empty_4 = mm_8 = None
        getitem_9: "f16[48, 256][256, 1]cpu" = auto_functionalized_4[1];  auto_functionalized_4 = None

        # File: /home/sgl/conformance/examples/record_sglang.py:95 in silu_and_mul, code: act = torch.empty(x.shape[0], x.shape[1] // 2, dtype=x.dtype) if act is None else act
        empty_5: "f16[48, 256][256, 1]cpu" = torch.ops.aten.empty.memory_format([48, 256], dtype = torch.float16, device = device(type='cpu'), pin_memory = False)

        # File: /home/sgl/conformance/examples/record_sglang.py:115 in model, code: x = x + torch.mm(silu_and_mul(torch.mm(x, up)), down)
        addmm_default_7: "f16[48, 128][128, 1]cpu" = torch.ops.aten.addmm.default(addmm_default_8, getitem_9, arg10_1);  addmm_default_8 = getitem_9 = arg10_1 = None
        mm_10: "f16[48, 512][512, 1]cpu" = torch.ops.aten.mm.default(addmm_default_7, arg11_1);  arg11_1 = None

        # File: /home/sgl/conformance/examples/record_sglang.py:96 in silu_and_mul, code: kernel.silu_and_mul(act, x)
        auto_functionalized_5 = torch.ops.higher_order.auto_functionalized(torch.ops.sgl_kernel.silu_and_mul.default, out = empty_5, input = mm_10);  empty_5 = mm_10 = None
        getitem_11: "f16[48, 256][256, 1]cpu" = auto_functionalized_5[1];  auto_functionalized_5 = None

        # File: /home/sgl/conformance/examples/record_sglang.py:95 in silu_and_mul, code: act = torch.empty(x.shape[0], x.shape[1] // 2, dtype=x.dtype) if act is None else act
        empty_6: "f16[48, 256][256, 1]cpu" = torch.ops.aten.empty.memory_format([48, 256], dtype = torch.float16, device = device(type='cpu'), pin_memory = False)

        # File: /home/sgl/conformance/examples/record_sglang.py:115 in model, code: x = x + torch.mm(silu_and_mul(torch.mm(x, up)), down)
        addmm_default_6: "f16[48, 128][128, 1]cpu" = torch.ops.aten.addmm.default(addmm_default_7, getitem_11, arg12_1);  addmm_default_7 = getitem_11 = arg12_1 = None
        mm_12: "f16[48, 512][512, 1]cpu" = torch.ops.aten.mm.default(addmm_default_6, arg13_1);  arg13_1 = None

        # File: /home/sgl/conformance/examples/record_sglang.py:96 in silu_and_mul, code: kernel.silu_and_mul(act, x)
        auto_functionalized_6 = torch.ops.higher_order.auto_functionalized(torch.ops.sgl_kernel.silu_and_mul.default, out = empty_6, input = mm_12);  empty_6 = mm_12 = None
        getitem_13: "f16[48, 256][256, 1]cpu" = auto_functionalized_6[1];  auto_functionalized_6 = None

        # File: /home/sgl/conformance/examples/record_sglang.py:95 in silu_and_mul, code: act = torch.empty(x.shape[0], x.shape[1] // 2, dtype=x.dtype) if act is None else act
        empty_7: "f16[48, 256][256, 1]cpu" = torch.ops.aten.empty.memory_format([48, 256], dtype = torch.float16, device = device(type='cpu'), pin_memory = False)

        # File: /home/sgl/conformance/examples/record_sglang.py:115 in model, code: x = x + torch.mm(silu_and_mul(torch.mm(x, up)), down)
        addmm_default_5: "f16[48, 128][128, 1]cpu" = torch.ops.aten.addmm.default(addmm_default_6, getitem_13, arg14_1);  addmm_default_6 = getitem_13 = arg14_1 = None
        mm_14: "f16[48, 512][512, 1]cpu" = torch.ops.aten.mm.default(addmm_default_5, arg15_1);  arg15_1 = None

        # File: /home/sgl/conformance/examples/record_sglang.py:96 in silu_and_mul, code: kernel.silu_and_mul(act, x)
        auto_functionalized_7 = torch.ops.higher_order.auto_functionalized(torch.ops.sgl_kernel.silu_and_mul.default, out = empty_7, input = mm_14);  empty_7 = mm_14 = None
        getitem_15: "f16[48, 256][256, 1]cpu" = auto_functionalized_7[1];  auto_functionalized_7 = None

        # File: /home/sgl/conformance/examples/record_sglang.py:95 in silu_and_mul, code: act = torch.empty(x.shape[0], x.shape[1] // 2, dtype=x.dtype) if act is None else act
        empty_8: "f16[48, 256][256, 1]cpu" = torch.ops.aten.empty.memory_format([48, 256], dtype = torch.float16, device = device(type='cpu'), pin_memory = False)

        # File: /home/sgl/conformance/examples/record_sglang.py:115 in model, code: x = x + torch.mm(silu_and_mul(torch.mm(x, up)), down)
        addmm_default_4: "f16[48, 128][128, 1]cpu" = torch.ops.aten.addmm.default(addmm_default_5, getitem_15, arg16_1);  addmm_default_5 = getitem_15 = arg16_1 = None
        mm_16: "f16[48, 512][512, 1]cpu" = torch.ops.aten.mm.default(addmm_default_4, arg17_1);  arg17_1 = None

        # File: /home/sgl/conformance/examples/record_sglang.py:96 in silu_and_mul, code: kernel.silu_and_mul(act, x)
        auto_functionalized_8 = torch.ops.higher_order.auto_functionalized(torch.ops.sgl_kernel.silu_and_mul.default, out = empty_8, input = mm_16);  empty_8 = mm_16 = None
        getitem_17: "f16[48, 256][256, 1]cpu" = auto_functionalized_8[1];  auto_functionalized_8 = None

        # File: /home/sgl/conformance/examples/record_sglang.py:95 in silu_and_mul, code: act = torch.empty(x.shape[0], x.shape[1] // 2, dtype=x.dtype) if act is None else act
        empty_9: "f16[48, 256][256, 1]cpu" = torch.ops.aten.empty.memory_format([48, 256], dtype = torch.float16, device = device(type='cpu'), pin_memory = False)

        # File: /home/sgl/conformance/examples/record_sglang.py:115 in model, code: x = x + torch.mm(silu_and_mul(torch.mm(x, up)), down)
        addmm_default_3: "f16[48, 128][128, 1]cpu" = torch.ops.aten.addmm.default(addmm_default_4, getitem_17, arg18_1);  addmm_default_4 = getitem_17 = arg18_1 = None
        mm_18: "f16[48, 512][512, 1]cpu" = torch.ops.aten.mm.default(addmm_default_3, arg19_1);  arg19_1 = None

        # File: /home/sgl/conformance/examples/record_sglang.py:96 in silu_and_mul, code: kernel.silu_and_mul(act, x)
        auto_functionalized_9 = torch.ops.higher_order.auto_functionalized(torch.ops.sgl_kernel.silu_and_mul.default, out = empty_9, input = mm_18);  empty_9 = mm_18 = None
        getitem_19: "f16[48, 256][256, 1]cpu" = auto_functionalized_9[1];  auto_functionalized_9 = None

        # File: /home/sgl/conformance/examples/record_sglang.py:95 in silu_and_mul, code: act = torch.empty(x.shape[0], x.shape[1] // 2, dtype=x.dtype) if act is None else act
        empty_10: "f16[48, 256][256, 1]cpu" = torch.ops.aten.empty.memory_format([48, 256], dtype = torch.float16, device = device(type='cpu'), pin_memory = False)

        # File: /home/sgl/conformance/examples/record_sglang.py:115 in model, code: x = x + torch.mm(silu_and_mul(torch.mm(x, up)), down)
        addmm_default_2: "f16[48, 128][128, 1]cpu" = torch.ops.aten.addmm.default(addmm_default_3, getitem_19, arg20_1);  addmm_default_3 = getitem_19 = arg20_1 = None
        mm_20: "f16[48, 512][512, 1]cpu" = torch.ops.aten.mm.default(addmm_default_2, arg21_1);  arg21_1 = None

        # File: /home/sgl/conformance/examples/record_sglang.py:96 in silu_and_mul, code: kernel.silu_and_mul(act, x)
        auto_functionalized_10 = torch.ops.higher_order.auto_functionalized(torch.ops.sgl_kernel.silu_and_mul.default, out = empty_10, input = mm_20);  empty_10 = mm_20 = None
        getitem_21: "f16[48, 256][256, 1]cpu" = auto_functionalized_10[1];  auto_functionalized_10 = None

        # File: /home/sgl/conformance/examples/record_sglang.py:95 in silu_and_mul, code: act = torch.empty(x.shape[0], x.shape[1] // 2, dtype=x.dtype) if act is None else act
        empty_11: "f16[48, 256][256, 1]cpu" = torch.ops.aten.empty.memory_format([48, 256], dtype = torch.float16, device = device(type='cpu'), pin_memory = False)

        # File: /home/sgl/conformance/examples/record_sglang.py:115 in model, code: x = x + torch.mm(silu_and_mul(torch.mm(x, up)), down)
        addmm_default_1: "f16[48, 128][128, 1]cpu" = torch.ops.aten.addmm.default(addmm_default_2, getitem_21, arg22_1);  addmm_default_2 = getitem_21 = arg22_1 = None
        mm_22: "f16[48, 512][512, 1]cpu" = torch.ops.aten.mm.default(addmm_default_1, arg23_1);  arg23_1 = None

        # File: /home/sgl/conformance/examples/record_sglang.py:96 in silu_and_mul, code: kernel.silu_and_mul(act, x)
        auto_functionalized_11 = torch.ops.higher_order.auto_functionalized(torch.ops.sgl_kernel.silu_and_mul.default, out = empty_11, input = mm_22);  empty_11 = mm_22 = None
        getitem_23: "f16[48, 256][256, 1]cpu" = auto_functionalized_11[1];  auto_functionalized_11 = None

        # File: /home/sgl/conformance/examples/record_sglang.py:115 in model, code: x = x + torch.mm(silu_and_mul(torch.mm(x, up)), down)
        addmm_default: "f16[48, 128][128, 1]cpu" = torch.ops.aten.addmm.default(addmm_default_1, getitem_23, arg24_1);  addmm_default_1 = getitem_23 = arg24_1 = None
        return (addmm_default,)
