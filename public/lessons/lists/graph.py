class GraphModule(torch.nn.Module):
    def forward(self, x: "f32[8, 64]"):
        split = torch.ops.aten.split.Tensor(x, 32, -1)
        getitem: "f32[8, 32]" = split[0]
        getitem_1: "f32[8, 32]" = split[1]
        sigmoid: "f32[8, 32]" = torch.ops.aten.sigmoid.default(getitem)
        mul: "f32[8, 32]" = torch.ops.aten.mul.Tensor(sigmoid, getitem_1)
        return (mul,)
