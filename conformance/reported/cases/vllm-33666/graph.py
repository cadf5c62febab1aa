class GraphModule(torch.nn.Module):
    def forward(self, arg0_1: "bf16[s72, 4096]", arg1_1: "bf16[s72, 1024]", arg2_1: "bf16[s72, 1024]", arg3_1: "i64[s72]", arg4_1: "bf16[4096, 128]"):
        clone: "bf16[s72, 4096]" = torch.ops.aten.clone.default(arg0_1);  arg0_1 = None
        clone_1: "bf16[s72, 1024]" = torch.ops.aten.clone.default(arg1_1);  arg1_1 = None
        auto_functionalized = torch.ops.higher_order.auto_functionalized(torch.ops._C.rotary_embedding.default, positions = arg3_1, query = clone, key = clone_1, head_size = 128, cos_sin_cache = arg4_1, is_neox = True);  arg3_1 = clone = clone_1 = arg4_1 = None
        getitem_1: "bf16[s72, 4096]" = auto_functionalized[1]
        getitem_2: "bf16[s72, 1024]" = auto_functionalized[2];  auto_functionalized = None
        reshape: "bf16[s72, 32, 128]" = torch.ops.aten.reshape.default(getitem_1, [-1, 32, 128]);  getitem_1 = None
        reshape_1: "bf16[s72, 8, 128]" = torch.ops.aten.reshape.default(getitem_2, [-1, 8, 128]);  getitem_2 = None
        reshape_2: "bf16[s72, 8, 128]" = torch.ops.aten.reshape.default(arg2_1, [-1, 8, 128]);  arg2_1 = None
        update: "bf16[0]" = torch.ops.cache.update.default(reshape_1, reshape_2, 'layers.0')
        return (reshape, reshape_1, reshape_2, update)
