class GraphModule(torch.nn.Module):
    def forward(self, a: "f32[8, 32]", b: "f32[8, 32]", c: "f32[8, 32]"):
        cat: "f32[8, 64]" = torch.ops.aten.cat.default([a, b], 1)
        relu: "f32[8, 64]" = torch.ops.aten.relu.default(cat)
        cat_1: "f32[8, 96]" = torch.ops.aten.cat.default([a, b, c], 1)
        relu_1: "f32[8, 96]" = torch.ops.aten.relu.default(cat_1)
        return (relu, relu_1)
