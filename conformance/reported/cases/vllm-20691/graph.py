class GraphModule(torch.nn.Module):
    def forward(self, x: "bf16[8, 64]", weight: "bf16[64]"):
        empty: "bf16[8, 64]" = torch.ops.aten.empty.memory_format([8, 64], dtype = torch.bfloat16, device = device(type='cpu'), pin_memory = False)
        auto_functionalized = torch.ops.higher_order.auto_functionalized(torch.ops._C.rms_norm.default, result = empty, input = x, weight = weight, epsilon = 1e-06)
        getitem: "bf16[8, 64]" = auto_functionalized[1]
        return (getitem,)
