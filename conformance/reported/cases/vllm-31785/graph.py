class GraphModule(torch.nn.Module):
    def forward(self, q: "bf16[8, 64]", scale: "f32[1]"):
        empty: "bf16[8, 64]" = torch.ops.aten.empty.memory_format([8, 64], dtype = torch.bfloat16, device = device(type='cpu'), pin_memory = False)
        auto_functionalized = torch.ops.higher_order.auto_functionalized(torch.ops.att.attention.default, query = q, output = empty)
        getitem: "bf16[8, 64]" = auto_functionalized[1]
        mul: "f32[8, 64]" = torch.ops.aten.mul.Tensor(getitem, scale)
        return (mul,)
