class GraphModule(torch.nn.Module):
    def forward(self, x: "f32[2, 4, 16]", w: "f32[16, 8]"):
        expand: "f32[2, 16, 8]" = torch.ops.aten.expand.default(w, [2, 16, 8])
        bmm: "f32[2, 4, 8]" = torch.ops.aten.bmm.default(x, expand)
        relu: "f32[2, 4, 8]" = torch.ops.aten.relu.default(bmm)
        return (relu,)
