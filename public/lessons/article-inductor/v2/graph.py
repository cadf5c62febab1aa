class GraphModule(torch.nn.Module):
    def forward(self, arg0_1: "f32[5, 4][4, 1]cpu", arg1_1: "f32[5, 1][1, 1]cpu"):
        convert_element_type: "bf16[5, 4][4, 1]cpu" = torch.ops.prims.convert_element_type.default(arg0_1, torch.bfloat16)
        convert_element_type_1: "bf16[5, 1][1, 1]cpu" = torch.ops.prims.convert_element_type.default(arg1_1, torch.bfloat16)
        empty_1: "bf16[5, 4][4, 1]cpu" = torch.ops.aten.empty.memory_format([5, 4], dtype = torch.bfloat16, layout = torch.strided, device = device(type='cpu'), pin_memory = False)
        auto_functionalized_v2 = torch.ops.higher_order.auto_functionalized_v2(torch.ops.vllm.rms_norm.default, input = convert_element_type, weight = convert_element_type_1, epsilon = 1e-06, _result_base_index = 0, _all_bases = [empty_1])
        getitem_1: "bf16[5, 4][4, 1]cpu" = auto_functionalized_v2[1]
        empty: "i8[5, 4][4, 1]cpu" = torch.ops.aten.empty.memory_format([5, 4], dtype = torch.int8, layout = torch.strided, device = device(type='cpu'), pin_memory = False)
        full_default: "f32[1, 1][1, 1]cpu" = torch.ops.aten.full.default([1, 1], 1, dtype = torch.float32, layout = torch.strided, device = device(type='cpu'), pin_memory = False)
        auto_functionalized_v2_1 = torch.ops.higher_order.auto_functionalized_v2(torch.ops.vllm.static_scaled_int8_quant.default, input = getitem_1, azp = None, _result_base_index = 0, _scale_base_index = 1, _all_bases = [empty, full_default])
        getitem_3: "i8[5, 4][4, 1]cpu" = auto_functionalized_v2_1[1]
        getitem_4: "f32[1, 1][1, 1]cpu" = auto_functionalized_v2_1[2]
        return (getitem_3, getitem_4)
