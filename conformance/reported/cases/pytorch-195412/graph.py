class GraphModule(torch.nn.Module):
    def forward(self, q: "f32[8, 4, 16]", k: "f32[8, 16, 4]"):
        bmm: "f32[8, 4, 4]" = torch.ops.aten.bmm.default(q, k)
        mul: "f32[8, 4, 4]" = torch.ops.aten.mul.Tensor(bmm, 0.3333333333333333)
        sigmoid: "f32[8, 4, 4]" = torch.ops.aten.sigmoid.default(mul)
        return (sigmoid,)
