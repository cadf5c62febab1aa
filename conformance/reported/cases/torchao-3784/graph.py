class GraphModule(torch.nn.Module):
    def forward(self, x: "i8[8, 16]", w: "i8[16, 8]", a: "bf16[8, 1]", b: "bf16[8]"):
        _int_mm: "i32[8, 8]" = torch.ops.aten._int_mm.default(x, w)
        convert_element_type: "f32[8, 8]" = torch.ops.prims.convert_element_type.default(_int_mm, torch.float32)
        convert_element_type_1: "bf16[8, 8]" = torch.ops.prims.convert_element_type.default(convert_element_type, torch.bfloat16)
        mul: "bf16[8, 8]" = torch.ops.aten.mul.Tensor(convert_element_type_1, a)
        mul_1: "bf16[8, 8]" = torch.ops.aten.mul.Tensor(mul, b)
        return (mul_1,)
