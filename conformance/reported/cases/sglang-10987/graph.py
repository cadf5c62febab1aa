class GraphModule(torch.nn.Module):
    def forward(self, x: "f32[8, 16]", w: "f32[16]"):
        relu: "f32[8, 16]" = torch.ops.aten.relu.default(x)
        mul: "f32[8, 16]" = torch.ops.aten.mul.Tensor(relu, w)
        return (mul,)
