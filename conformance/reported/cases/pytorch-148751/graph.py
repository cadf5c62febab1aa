class GraphModule(torch.nn.Module):
    def forward(self, a: "f32[8]", b: "f32[8]", c: "f32[8]"):
        add: "f32[8]" = torch.ops.aten.add.Tensor(a, b)
        relu: "f32[8]" = torch.ops.aten.relu.default(add)
        mul: "f32[8]" = torch.ops.aten.mul.Tensor(relu, c)
        add_1: "f32[8]" = torch.ops.aten.add.Tensor(add, mul)
        return (relu, add_1)
