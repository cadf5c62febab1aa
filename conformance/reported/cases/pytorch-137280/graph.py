class GraphModule(torch.nn.Module):
    def forward(self, x: "f32[8, 16]"):
        split = torch.ops.aten.split.Tensor(x, 8, 1)
        getitem: "f32[8, 8]" = split[0]
        getitem_1: "f32[8, 8]" = split[1]
        relu: "f32[8, 8]" = torch.ops.aten.relu.default(getitem)
        sigmoid: "f32[8, 8]" = torch.ops.aten.sigmoid.default(getitem_1)
        return (relu, sigmoid)
