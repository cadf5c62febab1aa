class GraphModule(torch.nn.Module):
    def forward(self, arg0_1: "bf16[s72, 4096]cuda:0", arg1_1: "bf16[4096]cuda:0", arg2_1: "bf16[s72, 4096]cuda:0", arg3_1: "Sym(s72)"):
        auto_functionalized = torch.ops.higher_order.auto_functionalized(torch.ops._C.fused_add_rms_norm.default, input = arg0_1, residual = arg2_1, weight = arg1_1, epsilon = 1e-06);  arg0_1 = arg2_1 = arg1_1 = None
        getitem_1: "bf16[s72, 4096]cuda:0" = auto_functionalized[1]
        getitem_2: "bf16[s72, 4096]cuda:0" = auto_functionalized[2];  auto_functionalized = None
        empty: "f8e4m3fn[s72, 4096]cuda:0" = torch.ops.aten.empty.memory_format([arg3_1, 4096], dtype = torch.float8_e4m3fn, layout = torch.strided, device = device(type='cuda', index=0), pin_memory = False)
        add: "Sym(s72 + 3)" = arg3_1 + 3
        floordiv: "Sym(((s72 + 3)//4))" = add // 4;  add = None
        mul: "Sym(4*(((s72 + 3)//4)))" = floordiv * 4;  floordiv = None
        empty_strided: "f32[s72, 32]cuda:0" = torch.ops.aten.empty_strided.default([arg3_1, 32], [1, mul], dtype = torch.float32, layout = torch.strided, device = device(type='cuda', index=0), pin_memory = False);  mul = None
        auto_functionalized_1 = torch.ops.higher_order.auto_functionalized(torch.ops._C.per_token_group_fp8_quant.default, input = getitem_1, output_q = empty, output_s = empty_strided, group_size = 128, eps = 1e-10, fp8_min = -448.0, fp8_max = 448.0, scale_ue8m0 = False);  getitem_1 = empty = empty_strided = None
        getitem_4: "f8e4m3fn[s72, 4096]cuda:0" = auto_functionalized_1[1]
        getitem_5: "f32[s72, 32]cuda:0" = auto_functionalized_1[2];  auto_functionalized_1 = None
        return (getitem_4, getitem_2, getitem_5)
