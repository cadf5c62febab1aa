class GraphModule(torch.nn.Module):
    def forward(self, x: "f32[8, 32]"):
        view: "f32[8, 2, 16]" = torch.ops.aten.view.default(x, [8, 2, 16])
        relu: "f32[8, 2, 16]" = torch.ops.aten.relu.default(view)
        return (relu,)
