class GraphModule(torch.nn.Module):
    def forward(self, arg0_1: "f32[5, 4][4, 1]cpu", arg1_1: "f32[5, 1][1, 1]cpu"):
        empty_1: "bf16[5, 4][4, 1]cpu" = torch.ops.aten.empty.memory_format([5, 4], dtype = torch.bfloat16, layout = torch.strided, device = device(type='cpu'), pin_memory = False)
        convert_element_type: "bf16[5, 4][4, 1]cpu" = torch.ops.prims.convert_element_type.default(arg0_1, torch.bfloat16)
        convert_element_type_1: "bf16[5, 1][1, 1]cpu" = torch.ops.prims.convert_element_type.default(arg1_1, torch.bfloat16)
        auto_functionalized = torch.ops.higher_order.auto_functionalized(torch.ops.vllm.rms_norm.default, result = empty_1, input = convert_element_type, weight = convert_element_type_1, epsilon = 1e-05)
        getitem_1: "bf16[5, 4][4, 1]cpu" = auto_functionalized[1]
        empty: "i8[5, 4][4, 1]cpu" = torch.ops.aten.empty.memory_format([5, 4], dtype = torch.int8, layout = torch.strided, device = device(type='cpu'), pin_memory = False)
        full_default: "f32[1, 1][1, 1]cpu" = torch.ops.aten.full.default([1, 1], 1, dtype = torch.float32, layout = torch.strided, device = device(type='cpu'), pin_memory = False)
        auto_functionalized_1 = torch.ops.higher_order.auto_functionalized(torch.ops.vllm.static_scaled_int8_quant.default, result = empty, input = getitem_1, scale = full_default, azp = None)
        getitem_3: "i8[5, 4][4, 1]cpu" = auto_functionalized_1[1]
        getitem_4: "f32[1, 1][1, 1]cpu" = auto_functionalized_1[2]
        return (getitem_3, getitem_4)
