class GraphModule(torch.nn.Module):
    def forward(self, x: "bf16[8, 32]", w: "bf16[32]", scale: "f32[1]"):
        empty: "bf16[8, 32]" = torch.ops.aten.empty.memory_format([8, 32], dtype = torch.bfloat16, layout = torch.strided, device = device(type='cpu'), pin_memory = False)
        auto_functionalized = torch.ops.higher_order.auto_functionalized(torch.ops.lesson.rms_norm.default, result = empty, input = x, weight = w, epsilon = 1e-06)
        getitem_1: "bf16[8, 32]" = auto_functionalized[1]
        empty_1: "f8e4m3fn[8, 32]" = torch.ops.aten.empty.memory_format([8, 32], dtype = torch.float8_e4m3fn, layout = torch.strided, device = device(type='cpu'), pin_memory = False)
        auto_functionalized_1 = torch.ops.higher_order.auto_functionalized(torch.ops.lesson.quant.default, result = empty_1, input = getitem_1, scale = scale)
        getitem_3: "f8e4m3fn[8, 32]" = auto_functionalized_1[1]
        return (getitem_3,)
