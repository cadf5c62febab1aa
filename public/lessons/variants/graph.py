class GraphModule(torch.nn.Module):
    def forward(self, x: "bf16[16, 512]", y: "bf16[16, 512]", z: "bf16[16, 512]"):
        relu: "bf16[16, 512]" = torch.ops.aten.relu.default(x)
        empty: "f8e4m3fn[16, 512]" = torch.ops.aten.empty.memory_format([16, 512], dtype = torch.float8_e4m3fn, layout = torch.strided, device = device(type='cpu'), pin_memory = False)
        empty_1: "f32[16, 4]" = torch.ops.aten.empty.memory_format([16, 4], dtype = torch.float32, layout = torch.strided, device = device(type='cpu'), pin_memory = False)
        auto_functionalized = torch.ops.higher_order.auto_functionalized(torch.ops.lesson.group_quant.default, input = relu, q = empty, s = empty_1, group_size = 128, ue8m0 = False, transposed = False, tma = False)
        getitem: "f8e4m3fn[16, 512]" = auto_functionalized[1]
        getitem_1: "f32[16, 4]" = auto_functionalized[2]
        relu_1: "bf16[16, 512]" = torch.ops.aten.relu.default(y)
        empty_2: "f8e4m3fn[16, 512]" = torch.ops.aten.empty.memory_format([16, 512], dtype = torch.float8_e4m3fn, layout = torch.strided, device = device(type='cpu'), pin_memory = False)
        empty_3: "f32[16, 8]" = torch.ops.aten.empty.memory_format([16, 8], dtype = torch.float32, layout = torch.strided, device = device(type='cpu'), pin_memory = False)
        auto_functionalized_1 = torch.ops.higher_order.auto_functionalized(torch.ops.lesson.group_quant.default, input = relu_1, q = empty_2, s = empty_3, group_size = 64, ue8m0 = True, transposed = False, tma = False)
        getitem_2: "f8e4m3fn[16, 512]" = auto_functionalized_1[1]
        getitem_3: "f32[16, 8]" = auto_functionalized_1[2]
        relu_2: "bf16[16, 512]" = torch.ops.aten.relu.default(z)
        empty_4: "f8e4m3fn[16, 512]" = torch.ops.aten.empty.memory_format([16, 512], dtype = torch.float8_e4m3fn, layout = torch.strided, device = device(type='cpu'), pin_memory = False)
        empty_5: "f32[16, 16]" = torch.ops.aten.empty.memory_format([16, 16], dtype = torch.float32, layout = torch.strided, device = device(type='cpu'), pin_memory = False)
        auto_functionalized_2 = torch.ops.higher_order.auto_functionalized(torch.ops.lesson.group_quant.default, input = relu_2, q = empty_4, s = empty_5, group_size = 32, ue8m0 = False, transposed = False, tma = False)
        getitem_4: "f8e4m3fn[16, 512]" = auto_functionalized_2[1]
        getitem_5: "f32[16, 16]" = auto_functionalized_2[2]
        return (getitem, getitem_1, getitem_2, getitem_3, getitem_4, getitem_5)
