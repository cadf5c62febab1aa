class GraphModule(torch.nn.Module):
    def forward(self, arg0_1: "bf16[s72, 4096]cuda:0", arg1_1: "bf16[4096, 4096]cuda:0"):
        mm: "bf16[s72, 4096]cuda:0" = torch.ops.aten.mm.default(arg0_1, arg1_1)
        reduce_scatter: "bf16[(s72//2), 4096]cuda:0" = torch.ops.vllm.reduce_scatter.default(mm, 0, 2, 'tp:0')
        return (reduce_scatter,)
