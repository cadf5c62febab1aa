class GraphModule(torch.nn.Module):
    def forward(self, x: "bf16[8, 64]", weight: "f16[64]"):
        convert_element_type: "f32[8, 64]" = torch.ops.prims.convert_element_type.default(x, torch.float32)
        pow_1: "f32[8, 64]" = torch.ops.aten.pow.Tensor_Scalar(convert_element_type, 2)
        mean: "f32[8, 1]" = torch.ops.aten.mean.dim(pow_1, [-1], True)
        add: "f32[8, 1]" = torch.ops.aten.add.Tensor(mean, 1e-06)
        rsqrt: "f32[8, 1]" = torch.ops.aten.rsqrt.default(add)
        mul: "f32[8, 64]" = torch.ops.aten.mul.Tensor(convert_element_type, rsqrt)
        convert_element_type_1: "f32[64]" = torch.ops.prims.convert_element_type.default(weight, torch.float32)
        mul_1: "f32[8, 64]" = torch.ops.aten.mul.Tensor(mul, convert_element_type_1)
        return (mul_1,)
