class GraphModule(torch.nn.Module):
    def forward(self, w: "f32[8, 4, 4]", v: "f32[8, 4, 16]"):
        sigmoid: "f32[8, 4, 4]" = torch.ops.aten.sigmoid.default(w)
        clone: "f32[8, 4, 4]" = torch.ops.aten.clone.default(sigmoid)
        bmm: "f32[8, 4, 16]" = torch.ops.aten.bmm.default(clone, v)
        return (bmm,)
