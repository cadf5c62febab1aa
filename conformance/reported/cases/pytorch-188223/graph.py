class GraphModule(torch.nn.Module):
    def forward(self, x: "f32[8, 16]", y: "f32[8, 16]"):
        add: "f32[8, 16]" = torch.ops.aten.add.Tensor(x, y)
        relu: "f32[8, 16]" = torch.ops.aten.relu.default(add)
        return (relu,)
