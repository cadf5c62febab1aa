class GraphModule(torch.nn.Module):
    def forward(self, x: "bf16[8, 256]"):
        empty: "f8e4m3fn[8, 256]" = torch.ops.aten.empty.memory_format([8, 256], dtype = torch.float8_e4m3fn, device = device(type='cpu'), pin_memory = False)
        empty_1: "f32[2, 8]" = torch.ops.aten.empty.memory_format([2, 8], dtype = torch.float32, device = device(type='cpu'), pin_memory = False)
        permute: "f32[8, 2]" = torch.ops.aten.permute.default(empty_1, [1, 0])
        relu: "bf16[8, 256]" = torch.ops.aten.relu.default(x)
        auto_functionalized = torch.ops.higher_order.auto_functionalized(torch.ops.grp.quant.default, input = relu, output_q = empty, output_s = permute, group_size = 128)
        getitem: "f8e4m3fn[8, 256]" = auto_functionalized[1]
        getitem_1: "f32[8, 2]" = auto_functionalized[2]
        return (getitem, getitem_1)
