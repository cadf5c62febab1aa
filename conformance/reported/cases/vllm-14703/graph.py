class GraphModule(torch.nn.Module):
    def forward(self, x: "bf16[8, 64]", weight: "bf16[64]"):
        empty: "bf16[8, 64]" = torch.ops.aten.empty.memory_format([8, 64], dtype = torch.bfloat16, device = device(type='cpu'), pin_memory = False)
        auto_functionalized_v2 = torch.ops.higher_order.auto_functionalized_v2(torch.ops._C.rms_norm.default, input = x, weight = weight, epsilon = 1e-06, _result_base_index = 0, _all_bases = [empty])
        getitem: "bf16[8, 64]" = auto_functionalized_v2[1]
        relu: "bf16[8, 64]" = torch.ops.aten.relu.default(getitem)
        return (relu,)
