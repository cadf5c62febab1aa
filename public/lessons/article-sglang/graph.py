class GraphModule(torch.nn.Module):
    def forward(self, arg0_1: "f16[8, 64][64, 1]cpu", arg1_1: "f16[64, 256][256, 1]cpu"):
        mm: "f16[8, 256][256, 1]cpu" = torch.ops.aten.mm.default(arg0_1, arg1_1)
        empty: "f16[8, 128][128, 1]cpu" = torch.ops.aten.empty.memory_format([8, 128], dtype = torch.float16, device = device(type='cpu'), pin_memory = False)
        auto_functionalized_v2 = torch.ops.higher_order.auto_functionalized_v2(torch.ops.sgl_kernel.silu_and_mul.default, input = mm, _out_base_index = 0, _all_bases = [empty])
        getitem_1: "f16[8, 128][128, 1]cpu" = auto_functionalized_v2[1]
        return (getitem_1,)
