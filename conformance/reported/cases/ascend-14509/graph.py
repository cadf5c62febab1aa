class GraphModule(torch.nn.Module):
    def forward(self, qkv: "f32[7, 4096]", q_weight: "f32[2048]", k_weight: "f32[1024]"):
        split_with_sizes = torch.ops.aten.split_with_sizes.default(qkv, [2048, 1024, 1024], -1)
        getitem: "f32[7, 2048]" = split_with_sizes[0]
        getitem_1: "f32[7, 1024]" = split_with_sizes[1]
        getitem_2: "f32[7, 1024]" = split_with_sizes[2]
        norm: "f32[7, 2048]" = torch.ops.npux.norm.default(getitem, q_weight)
        norm_1: "f32[7, 1024]" = torch.ops.npux.norm.default(getitem_1, k_weight)
        return (norm, norm_1, getitem_2)
