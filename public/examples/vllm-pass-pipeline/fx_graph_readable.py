class <lambda>(torch.nn.Module):
    def forward(self, arg0_1: "i64[48][1]cpu", arg1_1: "bf16[1000, 256][256, 1]cpu", arg2_1: "bf16[256][1]cpu", arg3_1: "f32[1, 1][1, 1]cpu", arg4_1: "f8e4m3fn[1024, 256][256, 1]cpu", arg5_1: "f8e4m3fn[256, 512][512, 1]cpu", arg6_1: "bf16[256][1]cpu", arg7_1: "f32[1, 1][1, 1]cpu", arg8_1: "f8e4m3fn[1024, 256][256, 1]cpu", arg9_1: "f8e4m3fn[256, 512][512, 1]cpu", arg10_1: "bf16[256][1]cpu"):
        # File: conformance/examples/record_pass_pipeline.py:64 in model, code: normed, residual = torch.empty_like(x), x
        empty: "bf16[48, 256][256, 1]cpu" = torch.ops.aten.empty.memory_format([48, 256], dtype = torch.bfloat16, layout = torch.strided, device = device(type='cpu'), pin_memory = False)

        # File: conformance/examples/record_pass_pipeline.py:61 in model, code: x, residual = torch.nn.functional.embedding(ids, embedding), None
        embedding: "bf16[48, 256][256, 1]cpu" = torch.ops.aten.embedding.default(arg1_1, arg0_1);  arg1_1 = arg0_1 = None

        # File: conformance/examples/record_pass_pipeline.py:65 in model, code: C.rms_norm(normed, x, w["norm"], EPS)
        auto_functionalized = torch.ops.higher_order.auto_functionalized(torch.ops._C.rms_norm.default, result = empty, input = embedding, weight = arg2_1, epsilon = 1e-06);  empty = arg2_1 = None
        getitem_1: "bf16[48, 256][256, 1]cpu" = auto_functionalized[1];  auto_functionalized = None

        # File: conformance/examples/record_pass_pipeline.py:55 in quantised, code: codes = torch.empty(x.shape, dtype=FP8)
        empty_1: "f8e4m3fn[48, 256][256, 1]cpu" = torch.ops.aten.empty.memory_format([48, 256], dtype = torch.float8_e4m3fn, device = device(type='cpu'), pin_memory = False)

        # No stacktrace found for following nodes
        reshape_default: "bf16[48, 4, 64][256, 64, 1]cpu" = torch.ops.aten.reshape.default(getitem_1, [48, 4, -1]);  getitem_1 = None
        reshape_default_1: "bf16[48, 256][256, 1]cpu" = torch.ops.aten.reshape.default(reshape_default, [48, 256]);  reshape_default = None

        # File: conformance/examples/record_pass_pipeline.py:56 in quantised, code: C.static_scaled_fp8_quant(codes, x, scale)
        auto_functionalized_1 = torch.ops.higher_order.auto_functionalized(torch.ops._C.static_scaled_fp8_quant.default, result = empty_1, input = reshape_default_1, scale = arg3_1);  empty_1 = reshape_default_1 = None
        getitem_3: "f8e4m3fn[48, 256][256, 1]cpu" = auto_functionalized_1[1];  auto_functionalized_1 = None

        # File: conformance/examples/record_pass_pipeline.py:71 in model, code: act = torch.empty(TOKENS, INNER, dtype=BF16)
        empty_2: "bf16[48, 512][512, 1]cpu" = torch.ops.aten.empty.memory_format([48, 512], dtype = torch.bfloat16, device = device(type='cpu'), pin_memory = False)

        # File: conformance/examples/record_pass_pipeline.py:70 in model, code: gate_up = C.fp8_mm(codes, w["up"], w["scale"])
        fp8_mm: "bf16[48, 1024][1024, 1]cpu" = torch.ops._C.fp8_mm.default(getitem_3, arg4_1, arg3_1);  getitem_3 = arg4_1 = None

        # File: conformance/examples/record_pass_pipeline.py:72 in model, code: C.silu_and_mul(act, gate_up)
        auto_functionalized_2 = torch.ops.higher_order.auto_functionalized(torch.ops._C.silu_and_mul.default, result = empty_2, input = fp8_mm);  empty_2 = fp8_mm = None
        getitem_5: "bf16[48, 512][512, 1]cpu" = auto_functionalized_2[1];  auto_functionalized_2 = None

        # File: conformance/examples/record_pass_pipeline.py:55 in quantised, code: codes = torch.empty(x.shape, dtype=FP8)
        empty_3: "f8e4m3fn[48, 512][512, 1]cpu" = torch.ops.aten.empty.memory_format([48, 512], dtype = torch.float8_e4m3fn, device = device(type='cpu'), pin_memory = False)

        # No stacktrace found for following nodes
        reshape_default_2: "bf16[48, 4, 128][512, 128, 1]cpu" = torch.ops.aten.reshape.default(getitem_5, [48, 4, -1]);  getitem_5 = None
        reshape_default_3: "bf16[48, 512][512, 1]cpu" = torch.ops.aten.reshape.default(reshape_default_2, [48, 512]);  reshape_default_2 = None

        # File: conformance/examples/record_pass_pipeline.py:56 in quantised, code: C.static_scaled_fp8_quant(codes, x, scale)
        auto_functionalized_3 = torch.ops.higher_order.auto_functionalized(torch.ops._C.static_scaled_fp8_quant.default, result = empty_3, input = reshape_default_3, scale = arg3_1);  empty_3 = reshape_default_3 = None
        getitem_7: "f8e4m3fn[48, 512][512, 1]cpu" = auto_functionalized_3[1];  auto_functionalized_3 = None

        # File: conformance/examples/record_pass_pipeline.py:73 in model, code: x = C.fp8_mm(quantised(act, w["scale"]), w["down"], w["scale"])
        fp8_mm_1: "bf16[48, 256][256, 1]cpu" = torch.ops._C.fp8_mm.default(getitem_7, arg5_1, arg3_1);  getitem_7 = arg5_1 = arg3_1 = None

        # File: conformance/examples/record_pass_pipeline.py:67 in model, code: C.fused_add_rms_norm(x, residual, w["norm"], EPS)
        auto_functionalized_4 = torch.ops.higher_order.auto_functionalized(torch.ops._C.fused_add_rms_norm.default, input = fp8_mm_1, residual = embedding, weight = arg6_1, epsilon = 1e-06);  fp8_mm_1 = embedding = arg6_1 = None
        getitem_9: "bf16[48, 256][256, 1]cpu" = auto_functionalized_4[1]
        getitem_10: "bf16[48, 256][256, 1]cpu" = auto_functionalized_4[2];  auto_functionalized_4 = None

        # File: conformance/examples/record_pass_pipeline.py:55 in quantised, code: codes = torch.empty(x.shape, dtype=FP8)
        empty_4: "f8e4m3fn[48, 256][256, 1]cpu" = torch.ops.aten.empty.memory_format([48, 256], dtype = torch.float8_e4m3fn, device = device(type='cpu'), pin_memory = False)

        # No stacktrace found for following nodes
        reshape_default_4: "bf16[48, 4, 64][256, 64, 1]cpu" = torch.ops.aten.reshape.default(getitem_9, [48, 4, -1]);  getitem_9 = None
        reshape_default_5: "bf16[48, 256][256, 1]cpu" = torch.ops.aten.reshape.default(reshape_default_4, [48, 256]);  reshape_default_4 = None

        # File: conformance/examples/record_pass_pipeline.py:56 in quantised, code: C.static_scaled_fp8_quant(codes, x, scale)
        auto_functionalized_5 = torch.ops.higher_order.auto_functionalized(torch.ops._C.static_scaled_fp8_quant.default, result = empty_4, input = reshape_default_5, scale = arg7_1);  empty_4 = reshape_default_5 = None
        getitem_12: "f8e4m3fn[48, 256][256, 1]cpu" = auto_functionalized_5[1];  auto_functionalized_5 = None

        # File: conformance/examples/record_pass_pipeline.py:71 in model, code: act = torch.empty(TOKENS, INNER, dtype=BF16)
        empty_5: "bf16[48, 512][512, 1]cpu" = torch.ops.aten.empty.memory_format([48, 512], dtype = torch.bfloat16, device = device(type='cpu'), pin_memory = False)

        # File: conformance/examples/record_pass_pipeline.py:70 in model, code: gate_up = C.fp8_mm(codes, w["up"], w["scale"])
        fp8_mm_2: "bf16[48, 1024][1024, 1]cpu" = torch.ops._C.fp8_mm.default(getitem_12, arg8_1, arg7_1);  getitem_12 = arg8_1 = None

        # File: conformance/examples/record_pass_pipeline.py:72 in model, code: C.silu_and_mul(act, gate_up)
        auto_functionalized_6 = torch.ops.higher_order.auto_functionalized(torch.ops._C.silu_and_mul.default, result = empty_5, input = fp8_mm_2);  empty_5 = fp8_mm_2 = None
        getitem_14: "bf16[48, 512][512, 1]cpu" = auto_functionalized_6[1];  auto_functionalized_6 = None

        # File: conformance/examples/record_pass_pipeline.py:55 in quantised, code: codes = torch.empty(x.shape, dtype=FP8)
        empty_6: "f8e4m3fn[48, 512][512, 1]cpu" = torch.ops.aten.empty.memory_format([48, 512], dtype = torch.float8_e4m3fn, device = device(type='cpu'), pin_memory = False)

        # No stacktrace found for following nodes
        reshape_default_6: "bf16[48, 4, 128][512, 128, 1]cpu" = torch.ops.aten.reshape.default(getitem_14, [48, 4, -1]);  getitem_14 = None
        reshape_default_7: "bf16[48, 512][512, 1]cpu" = torch.ops.aten.reshape.default(reshape_default_6, [48, 512]);  reshape_default_6 = None

        # File: conformance/examples/record_pass_pipeline.py:56 in quantised, code: C.static_scaled_fp8_quant(codes, x, scale)
        auto_functionalized_7 = torch.ops.higher_order.auto_functionalized(torch.ops._C.static_scaled_fp8_quant.default, result = empty_6, input = reshape_default_7, scale = arg7_1);  empty_6 = reshape_default_7 = None
        getitem_16: "f8e4m3fn[48, 512][512, 1]cpu" = auto_functionalized_7[1];  auto_functionalized_7 = None

        # File: conformance/examples/record_pass_pipeline.py:73 in model, code: x = C.fp8_mm(quantised(act, w["scale"]), w["down"], w["scale"])
        fp8_mm_3: "bf16[48, 256][256, 1]cpu" = torch.ops._C.fp8_mm.default(getitem_16, arg9_1, arg7_1);  getitem_16 = arg9_1 = arg7_1 = None

        # File: conformance/examples/record_pass_pipeline.py:74 in model, code: C.fused_add_rms_norm(x, residual, last, EPS)
        auto_functionalized_8 = torch.ops.higher_order.auto_functionalized(torch.ops._C.fused_add_rms_norm.default, input = fp8_mm_3, residual = getitem_10, weight = arg10_1, epsilon = 1e-06);  fp8_mm_3 = getitem_10 = arg10_1 = None
        getitem_18: "bf16[48, 256][256, 1]cpu" = auto_functionalized_8[1];  auto_functionalized_8 = None
        return (getitem_18,)
