class <lambda>(torch.nn.Module):
    def forward(self, arg0_1: "Sym(s77)", arg1_1: "f16[s77, 128][128, 1]cpu", arg2_1: "f16[128, 512][512, 1]cpu", arg3_1: "f16[256, 128][128, 1]cpu", arg4_1: "f16[128, 512][512, 1]cpu", arg5_1: "f16[256, 128][128, 1]cpu", arg6_1: "f16[128, 512][512, 1]cpu", arg7_1: "f16[256, 128][128, 1]cpu", arg8_1: "f16[128, 512][512, 1]cpu", arg9_1: "f16[256, 128][128, 1]cpu", arg10_1: "f16[128, 512][512, 1]cpu", arg11_1: "f16[256, 128][128, 1]cpu", arg12_1: "f16[128, 512][512, 1]cpu", arg13_1: "f16[256, 128][128, 1]cpu", arg14_1: "f16[128, 512][512, 1]cpu", arg15_1: "f16[256, 128][128, 1]cpu", arg16_1: "f16[128, 512][512, 1]cpu", arg17_1: "f16[256, 128][128, 1]cpu"):
        # File: /home/sgl/conformance/examples/record_sglang.py:114 in model, code: gate_up = x @ up
        mm: "f16[s77, 512][512, 1]cpu" = torch.ops.aten.mm.default(arg1_1, arg2_1);  arg2_1 = None

        # File: /home/sgl/conformance/examples/record_sglang.py:116 in model, code: gate = torch.nn.functional.silu(gate_up[..., :half])
        slice_1: "f16[s77, 256][512, 1]cpu" = torch.ops.aten.slice.Tensor(mm, 1, 0, 256)
        convert_element_type_2: "f32[s77, 256][256, 1]cpu" = torch.ops.prims.convert_element_type.default(slice_1, torch.float32);  slice_1 = None
        neg: "f32[s77, 256][256, 1]cpu" = torch.ops.aten.neg.default(convert_element_type_2)
        exp: "f32[s77, 256][256, 1]cpu" = torch.ops.aten.exp.default(neg);  neg = None
        add_6: "f32[s77, 256][256, 1]cpu" = torch.ops.aten.add.Tensor(exp, 1);  exp = None
        div: "f32[s77, 256][256, 1]cpu" = torch.ops.aten.div.Tensor(convert_element_type_2, add_6);  convert_element_type_2 = add_6 = None
        convert_element_type_3: "f16[s77, 256][256, 1]cpu" = torch.ops.prims.convert_element_type.default(div, torch.float16);  div = None

        # File: /home/sgl/conformance/examples/record_sglang.py:117 in model, code: x = x + (gate * gate_up[..., half:]) @ down
        slice_2: "f16[s77, 256][512, 1]cpu" = torch.ops.aten.slice.Tensor(mm, 1, 256, 9223372036854775807);  mm = None
        mul_8: "f16[s77, 256][256, 1]cpu" = torch.ops.aten.mul.Tensor(convert_element_type_3, slice_2);  convert_element_type_3 = slice_2 = None
        addmm_default_7: "f16[s77, 128][128, 1]cpu" = torch.ops.aten.addmm.default(arg1_1, mul_8, arg3_1);  arg1_1 = mul_8 = arg3_1 = None

        # File: /home/sgl/conformance/examples/record_sglang.py:114 in model, code: gate_up = x @ up
        mm_2: "f16[s77, 512][512, 1]cpu" = torch.ops.aten.mm.default(addmm_default_7, arg4_1);  arg4_1 = None

        # File: /home/sgl/conformance/examples/record_sglang.py:116 in model, code: gate = torch.nn.functional.silu(gate_up[..., :half])
        slice_3: "f16[s77, 256][512, 1]cpu" = torch.ops.aten.slice.Tensor(mm_2, 1, 0, 256)
        convert_element_type_8: "f32[s77, 256][256, 1]cpu" = torch.ops.prims.convert_element_type.default(slice_3, torch.float32);  slice_3 = None
        neg_1: "f32[s77, 256][256, 1]cpu" = torch.ops.aten.neg.default(convert_element_type_8)
        exp_1: "f32[s77, 256][256, 1]cpu" = torch.ops.aten.exp.default(neg_1);  neg_1 = None
        add_29: "f32[s77, 256][256, 1]cpu" = torch.ops.aten.add.Tensor(exp_1, 1);  exp_1 = None
        div_1: "f32[s77, 256][256, 1]cpu" = torch.ops.aten.div.Tensor(convert_element_type_8, add_29);  convert_element_type_8 = add_29 = None
        convert_element_type_9: "f16[s77, 256][256, 1]cpu" = torch.ops.prims.convert_element_type.default(div_1, torch.float16);  div_1 = None

        # File: /home/sgl/conformance/examples/record_sglang.py:117 in model, code: x = x + (gate * gate_up[..., half:]) @ down
        slice_4: "f16[s77, 256][512, 1]cpu" = torch.ops.aten.slice.Tensor(mm_2, 1, 256, 9223372036854775807);  mm_2 = None
        mul_23: "f16[s77, 256][256, 1]cpu" = torch.ops.aten.mul.Tensor(convert_element_type_9, slice_4);  convert_element_type_9 = slice_4 = None
        addmm_default_6: "f16[s77, 128][128, 1]cpu" = torch.ops.aten.addmm.default(addmm_default_7, mul_23, arg5_1);  addmm_default_7 = mul_23 = arg5_1 = None

        # File: /home/sgl/conformance/examples/record_sglang.py:114 in model, code: gate_up = x @ up
        mm_4: "f16[s77, 512][512, 1]cpu" = torch.ops.aten.mm.default(addmm_default_6, arg6_1);  arg6_1 = None

        # File: /home/sgl/conformance/examples/record_sglang.py:116 in model, code: gate = torch.nn.functional.silu(gate_up[..., :half])
        slice_5: "f16[s77, 256][512, 1]cpu" = torch.ops.aten.slice.Tensor(mm_4, 1, 0, 256)
        convert_element_type_14: "f32[s77, 256][256, 1]cpu" = torch.ops.prims.convert_element_type.default(slice_5, torch.float32);  slice_5 = None
        neg_2: "f32[s77, 256][256, 1]cpu" = torch.ops.aten.neg.default(convert_element_type_14)
        exp_2: "f32[s77, 256][256, 1]cpu" = torch.ops.aten.exp.default(neg_2);  neg_2 = None
        add_52: "f32[s77, 256][256, 1]cpu" = torch.ops.aten.add.Tensor(exp_2, 1);  exp_2 = None
        div_2: "f32[s77, 256][256, 1]cpu" = torch.ops.aten.div.Tensor(convert_element_type_14, add_52);  convert_element_type_14 = add_52 = None
        convert_element_type_15: "f16[s77, 256][256, 1]cpu" = torch.ops.prims.convert_element_type.default(div_2, torch.float16);  div_2 = None

        # File: /home/sgl/conformance/examples/record_sglang.py:117 in model, code: x = x + (gate * gate_up[..., half:]) @ down
        slice_6: "f16[s77, 256][512, 1]cpu" = torch.ops.aten.slice.Tensor(mm_4, 1, 256, 9223372036854775807);  mm_4 = None
        mul_38: "f16[s77, 256][256, 1]cpu" = torch.ops.aten.mul.Tensor(convert_element_type_15, slice_6);  convert_element_type_15 = slice_6 = None
        addmm_default_5: "f16[s77, 128][128, 1]cpu" = torch.ops.aten.addmm.default(addmm_default_6, mul_38, arg7_1);  addmm_default_6 = mul_38 = arg7_1 = None

        # File: /home/sgl/conformance/examples/record_sglang.py:114 in model, code: gate_up = x @ up
        mm_6: "f16[s77, 512][512, 1]cpu" = torch.ops.aten.mm.default(addmm_default_5, arg8_1);  arg8_1 = None

        # File: /home/sgl/conformance/examples/record_sglang.py:116 in model, code: gate = torch.nn.functional.silu(gate_up[..., :half])
        slice_7: "f16[s77, 256][512, 1]cpu" = torch.ops.aten.slice.Tensor(mm_6, 1, 0, 256)
        convert_element_type_20: "f32[s77, 256][256, 1]cpu" = torch.ops.prims.convert_element_type.default(slice_7, torch.float32);  slice_7 = None
        neg_3: "f32[s77, 256][256, 1]cpu" = torch.ops.aten.neg.default(convert_element_type_20)
        exp_3: "f32[s77, 256][256, 1]cpu" = torch.ops.aten.exp.default(neg_3);  neg_3 = None
        add_75: "f32[s77, 256][256, 1]cpu" = torch.ops.aten.add.Tensor(exp_3, 1);  exp_3 = None
        div_3: "f32[s77, 256][256, 1]cpu" = torch.ops.aten.div.Tensor(convert_element_type_20, add_75);  convert_element_type_20 = add_75 = None
        convert_element_type_21: "f16[s77, 256][256, 1]cpu" = torch.ops.prims.convert_element_type.default(div_3, torch.float16);  div_3 = None

        # File: /home/sgl/conformance/examples/record_sglang.py:117 in model, code: x = x + (gate * gate_up[..., half:]) @ down
        slice_8: "f16[s77, 256][512, 1]cpu" = torch.ops.aten.slice.Tensor(mm_6, 1, 256, 9223372036854775807);  mm_6 = None
        mul_53: "f16[s77, 256][256, 1]cpu" = torch.ops.aten.mul.Tensor(convert_element_type_21, slice_8);  convert_element_type_21 = slice_8 = None
        addmm_default_4: "f16[s77, 128][128, 1]cpu" = torch.ops.aten.addmm.default(addmm_default_5, mul_53, arg9_1);  addmm_default_5 = mul_53 = arg9_1 = None

        # File: /home/sgl/conformance/examples/record_sglang.py:114 in model, code: gate_up = x @ up
        mm_8: "f16[s77, 512][512, 1]cpu" = torch.ops.aten.mm.default(addmm_default_4, arg10_1);  arg10_1 = None

        # File: /home/sgl/conformance/examples/record_sglang.py:116 in model, code: gate = torch.nn.functional.silu(gate_up[..., :half])
        slice_9: "f16[s77, 256][512, 1]cpu" = torch.ops.aten.slice.Tensor(mm_8, 1, 0, 256)
        convert_element_type_26: "f32[s77, 256][256, 1]cpu" = torch.ops.prims.convert_element_type.default(slice_9, torch.float32);  slice_9 = None
        neg_4: "f32[s77, 256][256, 1]cpu" = torch.ops.aten.neg.default(convert_element_type_26)
        exp_4: "f32[s77, 256][256, 1]cpu" = torch.ops.aten.exp.default(neg_4);  neg_4 = None
        add_98: "f32[s77, 256][256, 1]cpu" = torch.ops.aten.add.Tensor(exp_4, 1);  exp_4 = None
        div_4: "f32[s77, 256][256, 1]cpu" = torch.ops.aten.div.Tensor(convert_element_type_26, add_98);  convert_element_type_26 = add_98 = None
        convert_element_type_27: "f16[s77, 256][256, 1]cpu" = torch.ops.prims.convert_element_type.default(div_4, torch.float16);  div_4 = None

        # File: /home/sgl/conformance/examples/record_sglang.py:117 in model, code: x = x + (gate * gate_up[..., half:]) @ down
        slice_10: "f16[s77, 256][512, 1]cpu" = torch.ops.aten.slice.Tensor(mm_8, 1, 256, 9223372036854775807);  mm_8 = None
        mul_68: "f16[s77, 256][256, 1]cpu" = torch.ops.aten.mul.Tensor(convert_element_type_27, slice_10);  convert_element_type_27 = slice_10 = None
        addmm_default_3: "f16[s77, 128][128, 1]cpu" = torch.ops.aten.addmm.default(addmm_default_4, mul_68, arg11_1);  addmm_default_4 = mul_68 = arg11_1 = None

        # File: /home/sgl/conformance/examples/record_sglang.py:114 in model, code: gate_up = x @ up
        mm_10: "f16[s77, 512][512, 1]cpu" = torch.ops.aten.mm.default(addmm_default_3, arg12_1);  arg12_1 = None

        # File: /home/sgl/conformance/examples/record_sglang.py:116 in model, code: gate = torch.nn.functional.silu(gate_up[..., :half])
        slice_11: "f16[s77, 256][512, 1]cpu" = torch.ops.aten.slice.Tensor(mm_10, 1, 0, 256)
        convert_element_type_32: "f32[s77, 256][256, 1]cpu" = torch.ops.prims.convert_element_type.default(slice_11, torch.float32);  slice_11 = None
        neg_5: "f32[s77, 256][256, 1]cpu" = torch.ops.aten.neg.default(convert_element_type_32)
        exp_5: "f32[s77, 256][256, 1]cpu" = torch.ops.aten.exp.default(neg_5);  neg_5 = None
        add_121: "f32[s77, 256][256, 1]cpu" = torch.ops.aten.add.Tensor(exp_5, 1);  exp_5 = None
        div_5: "f32[s77, 256][256, 1]cpu" = torch.ops.aten.div.Tensor(convert_element_type_32, add_121);  convert_element_type_32 = add_121 = None
        convert_element_type_33: "f16[s77, 256][256, 1]cpu" = torch.ops.prims.convert_element_type.default(div_5, torch.float16);  div_5 = None

        # File: /home/sgl/conformance/examples/record_sglang.py:117 in model, code: x = x + (gate * gate_up[..., half:]) @ down
        slice_12: "f16[s77, 256][512, 1]cpu" = torch.ops.aten.slice.Tensor(mm_10, 1, 256, 9223372036854775807);  mm_10 = None
        mul_83: "f16[s77, 256][256, 1]cpu" = torch.ops.aten.mul.Tensor(convert_element_type_33, slice_12);  convert_element_type_33 = slice_12 = None
        addmm_default_2: "f16[s77, 128][128, 1]cpu" = torch.ops.aten.addmm.default(addmm_default_3, mul_83, arg13_1);  addmm_default_3 = mul_83 = arg13_1 = None

        # File: /home/sgl/conformance/examples/record_sglang.py:114 in model, code: gate_up = x @ up
        mm_12: "f16[s77, 512][512, 1]cpu" = torch.ops.aten.mm.default(addmm_default_2, arg14_1);  arg14_1 = None

        # File: /home/sgl/conformance/examples/record_sglang.py:116 in model, code: gate = torch.nn.functional.silu(gate_up[..., :half])
        slice_13: "f16[s77, 256][512, 1]cpu" = torch.ops.aten.slice.Tensor(mm_12, 1, 0, 256)
        convert_element_type_38: "f32[s77, 256][256, 1]cpu" = torch.ops.prims.convert_element_type.default(slice_13, torch.float32);  slice_13 = None
        neg_6: "f32[s77, 256][256, 1]cpu" = torch.ops.aten.neg.default(convert_element_type_38)
        exp_6: "f32[s77, 256][256, 1]cpu" = torch.ops.aten.exp.default(neg_6);  neg_6 = None
        add_144: "f32[s77, 256][256, 1]cpu" = torch.ops.aten.add.Tensor(exp_6, 1);  exp_6 = None
        div_6: "f32[s77, 256][256, 1]cpu" = torch.ops.aten.div.Tensor(convert_element_type_38, add_144);  convert_element_type_38 = add_144 = None
        convert_element_type_39: "f16[s77, 256][256, 1]cpu" = torch.ops.prims.convert_element_type.default(div_6, torch.float16);  div_6 = None

        # File: /home/sgl/conformance/examples/record_sglang.py:117 in model, code: x = x + (gate * gate_up[..., half:]) @ down
        slice_14: "f16[s77, 256][512, 1]cpu" = torch.ops.aten.slice.Tensor(mm_12, 1, 256, 9223372036854775807);  mm_12 = None
        mul_98: "f16[s77, 256][256, 1]cpu" = torch.ops.aten.mul.Tensor(convert_element_type_39, slice_14);  convert_element_type_39 = slice_14 = None
        addmm_default_1: "f16[s77, 128][128, 1]cpu" = torch.ops.aten.addmm.default(addmm_default_2, mul_98, arg15_1);  addmm_default_2 = mul_98 = arg15_1 = None

        # File: /home/sgl/conformance/examples/record_sglang.py:114 in model, code: gate_up = x @ up
        mm_14: "f16[s77, 512][512, 1]cpu" = torch.ops.aten.mm.default(addmm_default_1, arg16_1);  arg16_1 = None

        # File: /home/sgl/conformance/examples/record_sglang.py:116 in model, code: gate = torch.nn.functional.silu(gate_up[..., :half])
        slice_15: "f16[s77, 256][512, 1]cpu" = torch.ops.aten.slice.Tensor(mm_14, 1, 0, 256)
        convert_element_type_44: "f32[s77, 256][256, 1]cpu" = torch.ops.prims.convert_element_type.default(slice_15, torch.float32);  slice_15 = None
        neg_7: "f32[s77, 256][256, 1]cpu" = torch.ops.aten.neg.default(convert_element_type_44)
        exp_7: "f32[s77, 256][256, 1]cpu" = torch.ops.aten.exp.default(neg_7);  neg_7 = None
        add_167: "f32[s77, 256][256, 1]cpu" = torch.ops.aten.add.Tensor(exp_7, 1);  exp_7 = None
        div_7: "f32[s77, 256][256, 1]cpu" = torch.ops.aten.div.Tensor(convert_element_type_44, add_167);  convert_element_type_44 = add_167 = None
        convert_element_type_45: "f16[s77, 256][256, 1]cpu" = torch.ops.prims.convert_element_type.default(div_7, torch.float16);  div_7 = None

        # File: /home/sgl/conformance/examples/record_sglang.py:117 in model, code: x = x + (gate * gate_up[..., half:]) @ down
        slice_16: "f16[s77, 256][512, 1]cpu" = torch.ops.aten.slice.Tensor(mm_14, 1, 256, 9223372036854775807);  mm_14 = None
        mul_113: "f16[s77, 256][256, 1]cpu" = torch.ops.aten.mul.Tensor(convert_element_type_45, slice_16);  slice_16 = None
        addmm_default: "f16[s77, 128][128, 1]cpu" = torch.ops.aten.addmm.default(addmm_default_1, mul_113, arg17_1);  addmm_default_1 = mul_113 = arg17_1 = None

        # File: /home/sgl/conformance/examples/record_sglang.py:118 in model, code: return x, gate.abs().amax(-1)
        abs_1: "f16[s77, 256][256, 1]cpu" = torch.ops.aten.abs.default(convert_element_type_45);  convert_element_type_45 = None
        amax: "f16[s77][1]cpu" = torch.ops.aten.amax.default(abs_1, [-1]);  abs_1 = None
        return (addmm_default, amax)
