class GraphModule(torch.nn.Module):
    def forward(self, bias: "f32[8]", x: "f32[4, 16]", w: "f32[16, 8]"):
        addmm: "f32[4, 8]" = torch.ops.aten.addmm.default(bias, x, w, beta = 0.5, alpha = 2)
        relu: "f32[4, 8]" = torch.ops.aten.relu.default(addmm)
        return (relu,)
