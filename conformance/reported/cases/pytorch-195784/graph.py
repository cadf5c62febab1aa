class GraphModule(torch.nn.Module):
    def forward(self, q: "f16[8, 4, 16]", k: "f16[8, 16, 4]", mask: "f32[1, 1, 4]"):
        bmm: "f16[8, 4, 4]" = torch.ops.aten.bmm.default(q, k)
        add: "f32[8, 4, 4]" = torch.ops.aten.add.Tensor(bmm, mask)
        sigmoid: "f32[8, 4, 4]" = torch.ops.aten.sigmoid.default(add)
        convert_element_type: "f16[8, 4, 4]" = torch.ops.prims.convert_element_type.default(sigmoid, torch.float16)
        return (convert_element_type,)
