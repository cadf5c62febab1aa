class GraphModule(torch.nn.Module):
    def forward(self, x: "f32[8, 32]", weight: "f32[32]", scale: "f32[1]"):
        empty: "f32[8, 32]" = torch.ops.aten.empty.memory_format([8, 32], dtype = torch.float32, layout = torch.strided, device = device(type='cpu'), pin_memory = False)
        auto_functionalized = torch.ops.higher_order.auto_functionalized(torch.ops.cutlass.norm.default, result = empty, input = x, weight = weight, epsilon = 1e-05)
        getitem_1: "f32[8, 32]" = auto_functionalized[1]
        reshape: "f32[8, 32]" = torch.ops.aten.reshape.default(getitem_1, [-1, 32])
        empty_1: "i8[8, 32]" = torch.ops.aten.empty.memory_format([8, 32], dtype = torch.int8, layout = torch.strided, device = device(type='cpu'), pin_memory = False)
        auto_functionalized_1 = torch.ops.higher_order.auto_functionalized(torch.ops.cutlass.quant.default, result = empty_1, input = reshape, scale = scale)
        getitem_3: "i8[8, 32]" = auto_functionalized_1[1]
        return (getitem_3,)
