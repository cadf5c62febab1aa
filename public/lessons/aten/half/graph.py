class GraphModule(torch.nn.Module):
    def forward(self, x: "bf16[8, 32]", y: "bf16[8, 32]"):
        convert_element_type: "f32[8, 32]" = torch.ops.prims.convert_element_type.default(x, torch.float32)
        neg: "f32[8, 32]" = torch.ops.aten.neg.default(convert_element_type)
        exp: "f32[8, 32]" = torch.ops.aten.exp.default(neg)
        add: "f32[8, 32]" = torch.ops.aten.add.Tensor(exp, 1)
        div: "f32[8, 32]" = torch.ops.aten.div.Tensor(convert_element_type, add)
        convert_element_type_1: "bf16[8, 32]" = torch.ops.prims.convert_element_type.default(div, torch.bfloat16)
        mul: "bf16[8, 32]" = torch.ops.aten.mul.Tensor(convert_element_type_1, y)
        return (mul,)
