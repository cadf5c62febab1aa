class GraphModule(torch.nn.Module):
    def forward(self, x: "f32[16, 64]", y: "f32[16, 64]"):
        add: "f32[16, 64]" = torch.ops.aten.add.Tensor(x, y)
        relu: "f32[16, 64]" = torch.ops.aten.relu.default(add)
        return (relu,)
