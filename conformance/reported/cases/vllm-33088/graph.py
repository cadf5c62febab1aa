class GraphModule(torch.nn.Module):
    def forward(self, x: "f32[8, 32]", weight: "f32[32, 16]"):
        mm: "f32[8, 16]" = torch.ops.aten.mm.default(x, weight)
        reduce_scatter_tensor: "f32[4, 16]" = torch.ops._c10d_functional.reduce_scatter_tensor.default(mm, 'sum', 2, '0')
        wait_tensor: "f32[4, 16]" = torch.ops._c10d_functional.wait_tensor.default(reduce_scatter_tensor)
        return (wait_tensor,)
