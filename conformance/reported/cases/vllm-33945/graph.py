class GraphModule(torch.nn.Module):
    def forward(self, q: "bf16[s72, 4, 128]", k: "bf16[s72, 4, 128]", v: "bf16[s72, 4, 128]", scale: "f32[1]", s72: "Sym(s72)"):
        empty: "bf16[s72, 4, 128]" = torch.ops.aten.empty.memory_format([s72, 4, 128], dtype = torch.bfloat16, device = device(type='cpu'), pin_memory = False)
        update_cache: "bf16[0]" = torch.ops.serve.update_cache.default(k, v, 'layers.0')
        auto_functionalized = torch.ops.higher_order.auto_functionalized(torch.ops.serve.attention.default, query = q, key = k, value = v, output = empty, layer = 'layers.0', output_scale = None, cache_dep = update_cache)
        getitem_1: "bf16[s72, 4, 128]" = auto_functionalized[1]
        reshape: "bf16[s72, 512]" = torch.ops.aten.reshape.default(getitem_1, [-1, 512])
        empty_1: "f8e4m3fn[s72, 512]" = torch.ops.aten.empty.memory_format([s72, 512], dtype = torch.float8_e4m3fn, device = device(type='cpu'), pin_memory = False)
        auto_functionalized_1 = torch.ops.higher_order.auto_functionalized(torch.ops.serve.static_quant.default, result = empty_1, input = reshape, scale = scale)
        getitem_3: "f8e4m3fn[s72, 512]" = auto_functionalized_1[1]
        return (getitem_3,)
