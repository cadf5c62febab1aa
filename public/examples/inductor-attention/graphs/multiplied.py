class <lambda>(torch.nn.Module):
    def forward(self, arg0_1: "f32[2, 4, 32, 16][2048, 512, 16, 1]cpu", arg1_1: "f32[2, 4, 32, 16][2048, 512, 16, 1]cpu", arg2_1: "f32[2, 4, 32, 16][2048, 512, 16, 1]cpu"):
        # File: attention_model.py:13 in multiplied, code: return (q @ k.transpose(-2, -1) * 0.25).softmax(dim=-1) @ v
        permute: "f32[2, 4, 16, 32][2048, 512, 1, 16]cpu" = torch.ops.aten.permute.default(arg0_1, [0, 1, 3, 2]);  arg0_1 = None
        expand: "f32[2, 4, 32, 16][2048, 512, 16, 1]cpu" = torch.ops.aten.expand.default(arg1_1, [2, 4, 32, 16]);  arg1_1 = None
        view: "f32[8, 32, 16][512, 16, 1]cpu" = torch.ops.aten.view.default(expand, [8, 32, 16]);  expand = None
        expand_1: "f32[2, 4, 16, 32][2048, 512, 1, 16]cpu" = torch.ops.aten.expand.default(permute, [2, 4, 16, 32]);  permute = None
        view_1: "f32[8, 16, 32][512, 1, 16]cpu" = torch.ops.aten.view.default(expand_1, [8, 16, 32]);  expand_1 = None
        bmm: "f32[8, 32, 32][1024, 32, 1]cpu" = torch.ops.aten.bmm.default(view, view_1);  view = view_1 = None
        view_2: "f32[2, 4, 32, 32][4096, 1024, 32, 1]cpu" = torch.ops.aten.view.default(bmm, [2, 4, 32, 32]);  bmm = None
        mul: "f32[2, 4, 32, 32][4096, 1024, 32, 1]cpu" = torch.ops.aten.mul.Tensor(view_2, 0.25);  view_2 = None
        amax: "f32[2, 4, 32, 1][128, 32, 1, 1]cpu" = torch.ops.aten.amax.default(mul, [-1], True)
        sub: "f32[2, 4, 32, 32][4096, 1024, 32, 1]cpu" = torch.ops.aten.sub.Tensor(mul, amax);  mul = amax = None
        exp: "f32[2, 4, 32, 32][4096, 1024, 32, 1]cpu" = torch.ops.aten.exp.default(sub);  sub = None
        sum_1: "f32[2, 4, 32, 1][128, 32, 1, 1]cpu" = torch.ops.aten.sum.dim_IntList(exp, [-1], True)
        div: "f32[2, 4, 32, 32][4096, 1024, 32, 1]cpu" = torch.ops.aten.div.Tensor(exp, sum_1);  exp = sum_1 = None
        expand_2: "f32[2, 4, 32, 32][4096, 1024, 32, 1]cpu" = torch.ops.aten.expand.default(div, [2, 4, 32, 32]);  div = None
        view_3: "f32[8, 32, 32][1024, 32, 1]cpu" = torch.ops.aten.view.default(expand_2, [8, 32, 32]);  expand_2 = None
        expand_3: "f32[2, 4, 32, 16][2048, 512, 16, 1]cpu" = torch.ops.aten.expand.default(arg2_1, [2, 4, 32, 16]);  arg2_1 = None
        view_4: "f32[8, 32, 16][512, 16, 1]cpu" = torch.ops.aten.view.default(expand_3, [8, 32, 16]);  expand_3 = None
        bmm_1: "f32[8, 32, 16][512, 16, 1]cpu" = torch.ops.aten.bmm.default(view_3, view_4);  view_3 = view_4 = None
        view_5: "f32[2, 4, 32, 16][2048, 512, 16, 1]cpu" = torch.ops.aten.view.default(bmm_1, [2, 4, 32, 16]);  bmm_1 = None
        return (view_5,)
