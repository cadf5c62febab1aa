class GraphModule(torch.nn.Module):
    def forward(self, x: "f32[5, 16]", y: "f32[16, 16]"):
        mm: "f32[5, 16]" = torch.ops.aten.mm.default(x, y)
        view: "f32[5, 4, 4]" = torch.ops.aten.reshape.default(mm, [-1, 4, 4])
        relu: "f32[5, 4, 4]" = torch.ops.aten.relu.default(view)
        return (relu,)
