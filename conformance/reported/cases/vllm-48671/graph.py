class GraphModule(torch.nn.Module):
    def forward(self, qkv: "f32[8, 64]", weight: "f32[32]"):
        split_with_sizes = torch.ops.aten.split_with_sizes.default(qkv, [32, 16, 16], -1)
        getitem: "f32[8, 32]" = split_with_sizes[0]
        getitem_1: "f32[8, 16]" = split_with_sizes[1]
        getitem_2: "f32[8, 16]" = split_with_sizes[2]
        norm: "f32[8, 32]" = torch.ops.draft.norm.default(getitem, weight)
        return (norm, getitem_1, getitem_2)
