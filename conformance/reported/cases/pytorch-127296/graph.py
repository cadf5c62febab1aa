class GraphModule(torch.nn.Module):
    def forward(self, x: "f16[8, 16]", w: "f16[16, 8]"):
        mm: "f16[8, 8]" = torch.ops.aten.mm.default(x, w)
        relu: "f16[8, 8]" = torch.ops.aten.relu.default(mm)
        return (relu,)
