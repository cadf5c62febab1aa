class GraphModule(torch.nn.Module):
    def forward(self, x: "bf16[8, 32]", w: "bf16[32]", scale: "f32[1]"):
        empty: "bf16[8, 32]" = torch.ops.aten.empty.memory_format([8, 32], dtype = torch.bfloat16, layout = torch.strided, device = device(type='cpu'), pin_memory = False)
        auto_functionalized_v2 = torch.ops.higher_order.auto_functionalized_v2(torch.ops.lesson.rms_norm.default, input = x, weight = w, epsilon = 1e-06, _result_base_index = 0, _all_bases = [empty])
        getitem_1: "bf16[8, 32]" = auto_functionalized_v2[1]
        empty_1: "f8e4m3fn[8, 32]" = torch.ops.aten.empty.memory_format([8, 32], dtype = torch.float8_e4m3fn, layout = torch.strided, device = device(type='cpu'), pin_memory = False)
        auto_functionalized_v2_1 = torch.ops.higher_order.auto_functionalized_v2(torch.ops.lesson.quant.default, input = getitem_1, scale = scale, _result_base_index = 0, _all_bases = [empty_1])
        getitem_3: "f8e4m3fn[8, 32]" = auto_functionalized_v2_1[1]
        return (getitem_3,)
