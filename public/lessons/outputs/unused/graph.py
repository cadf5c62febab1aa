class GraphModule(torch.nn.Module):
    def forward(self, x: "f32[8, 32]", y: "f32[8, 32]"):
        max_1 = torch.ops.aten.max.dim(x, -1, True)
        getitem: "f32[8, 1]" = max_1[0]
        getitem_1: "i64[8, 1]" = max_1[1]
        sub: "f32[8, 32]" = torch.ops.aten.sub.Tensor(x, getitem)
        max_2 = torch.ops.aten.max.dim(y, -1, True)
        getitem_2: "f32[8, 1]" = max_2[0]
        sub_1: "f32[8, 32]" = torch.ops.aten.sub.Tensor(y, getitem_2)
        return (sub, getitem_1, sub_1)
