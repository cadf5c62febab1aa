class GraphModule(torch.nn.Module):
    def forward(self, x: "f32[8, 64]", weight: "f32[64]"):
        all_reduce: "f32[8, 64]" = torch.ops.comm.all_reduce.default(x, 'tp:0')
        alias: "f32[8, 64]" = torch.ops.aten.alias.default(all_reduce)
        mul: "f32[8, 64]" = torch.ops.aten.mul.Tensor(alias, weight)
        return (mul,)
