class GraphModule(torch.nn.Module):
    def forward(self, arg0_1: "bf16[s72, 32, 128]cuda:0", arg1_1: "bf16[s72, 8, 128]cuda:0", arg2_1: "bf16[s72, 8, 128]cuda:0", arg3_1: "f32[]cuda:0", arg4_1: "f8e4m3fn[4096, 4096]cuda:0", arg5_1: "f32[]cuda:0", arg6_1: "Sym(s72)"):
        empty: "bf16[s72, 32, 128]cuda:0" = torch.ops.aten.empty.memory_format([arg6_1, 32, 128], dtype = torch.bfloat16, layout = torch.strided, device = device(type='cuda', index=0), pin_memory = False)
        unified_kv_cache_update: "bf16[0]cuda:0" = torch.ops.vllm.unified_kv_cache_update.default(arg1_1, arg2_1, 'model.layers.0.self_attn.attn')
        auto_functionalized = torch.ops.higher_order.auto_functionalized(torch.ops.vllm.unified_attention_with_output.default, query = arg0_1, key = arg1_1, value = arg2_1, output = empty, layer_name = 'model.layers.0.self_attn.attn', output_scale = None, output_block_scale = None, kv_cache_dummy_dep = unified_kv_cache_update);  arg0_1 = arg1_1 = arg2_1 = empty = unified_kv_cache_update = None
        getitem_1: "bf16[s72, 32, 128]cuda:0" = auto_functionalized[1];  auto_functionalized = None
        reshape: "bf16[s72, 4096]cuda:0" = torch.ops.aten.reshape.default(getitem_1, [arg6_1, 4096]);  getitem_1 = None
        empty_1: "f8e4m3fn[s72, 4096]cuda:0" = torch.ops.aten.empty.memory_format([arg6_1, 4096], dtype = torch.float8_e4m3fn, layout = torch.strided, device = device(type='cuda', index=0), pin_memory = False)
        auto_functionalized_1 = torch.ops.higher_order.auto_functionalized(torch.ops._C.static_scaled_fp8_quant.default, result = empty_1, input = reshape, scale = arg3_1, group_shape = None);  empty_1 = reshape = None
        getitem_3: "f8e4m3fn[s72, 4096]cuda:0" = auto_functionalized_1[1];  auto_functionalized_1 = None
        permute: "f8e4m3fn[4096, 4096]cuda:0" = torch.ops.aten.permute.default(arg4_1, [1, 0]);  arg4_1 = None
        _scaled_mm: "bf16[s72, 4096]cuda:0" = torch.ops.aten._scaled_mm.default(getitem_3, permute, arg3_1, arg5_1, None, None, torch.bfloat16);  getitem_3 = permute = arg3_1 = arg5_1 = None
        return (_scaled_mm,)
