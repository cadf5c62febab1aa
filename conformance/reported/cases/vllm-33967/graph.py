class GraphModule(torch.nn.Module):
    def forward(self, qkv: "f32[8, 96]", q_weight: "f32[64]", k_weight: "f32[16]"):
        split_with_sizes = torch.ops.aten.split_with_sizes.default(qkv, [64, 16, 16], -1)
        getitem: "f32[8, 64]" = split_with_sizes[0]
        getitem_1: "f32[8, 16]" = split_with_sizes[1]
        norm: "f32[8, 64]" = torch.ops.heads.norm.default(getitem, q_weight, 1e-06)
        norm_1: "f32[8, 16]" = torch.ops.heads.norm.default(getitem_1, k_weight, 1e-06)
        split_with_sizes_1 = torch.ops.aten.split_with_sizes.default(qkv, [64, 16, 16], -1)
        getitem_2: "f32[8, 16]" = split_with_sizes_1[2]
        return (norm, norm_1, getitem_2)
