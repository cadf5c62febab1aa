class <lambda>(torch.nn.Module):
    def forward(self, arg0_1: "bf16[2, 32, 4, 16][2048, 64, 16, 1]cpu", arg1_1: "bf16[2, 32, 4, 16][2048, 64, 16, 1]cpu", arg2_1: "bf16[2, 32, 4, 16][2048, 64, 16, 1]cpu"):
        # File: attention_model.py:26 in <genexpr>, code: q, k, v = (t.permute(0, 2, 1, 3) for t in (q, k, v))
        permute: "bf16[2, 4, 32, 16][2048, 16, 64, 1]cpu" = torch.ops.aten.permute.default(arg0_1, [0, 2, 1, 3]);  arg0_1 = None
        permute_1: "bf16[2, 4, 32, 16][2048, 16, 64, 1]cpu" = torch.ops.aten.permute.default(arg1_1, [0, 2, 1, 3]);  arg1_1 = None
        permute_2: "bf16[2, 4, 32, 16][2048, 16, 64, 1]cpu" = torch.ops.aten.permute.default(arg2_1, [0, 2, 1, 3]);  arg2_1 = None

        # File: attention_model.py:27 in heads_last, code: return (q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])).softmax(dim=-1) @ v
        permute_3: "bf16[2, 4, 16, 32][2048, 16, 1, 64]cpu" = torch.ops.aten.permute.default(permute_1, [0, 1, 3, 2]);  permute_1 = None
        expand: "bf16[2, 4, 32, 16][2048, 16, 64, 1]cpu" = torch.ops.aten.expand.default(permute, [2, 4, 32, 16]);  permute = None
        clone: "bf16[2, 4, 32, 16][2048, 512, 16, 1]cpu" = torch.ops.aten.clone.default(expand, memory_format = torch.contiguous_format);  expand = None
        view: "bf16[8, 32, 16][512, 16, 1]cpu" = torch.ops.aten.view.default(clone, [8, 32, 16]);  clone = None
        expand_1: "bf16[2, 4, 16, 32][2048, 16, 1, 64]cpu" = torch.ops.aten.expand.default(permute_3, [2, 4, 16, 32]);  permute_3 = None
        clone_1: "bf16[2, 4, 16, 32][2048, 512, 32, 1]cpu" = torch.ops.aten.clone.default(expand_1, memory_format = torch.contiguous_format);  expand_1 = None
        view_1: "bf16[8, 16, 32][512, 32, 1]cpu" = torch.ops.aten.view.default(clone_1, [8, 16, 32]);  clone_1 = None
        bmm: "bf16[8, 32, 32][1024, 32, 1]cpu" = torch.ops.aten.bmm.default(view, view_1);  view = view_1 = None
        view_2: "bf16[2, 4, 32, 32][4096, 1024, 32, 1]cpu" = torch.ops.aten.view.default(bmm, [2, 4, 32, 32]);  bmm = None
        div: "bf16[2, 4, 32, 32][4096, 1024, 32, 1]cpu" = torch.ops.aten.div.Tensor(view_2, 4.0);  view_2 = None
        convert_element_type_2: "f32[2, 4, 32, 32][4096, 1024, 32, 1]cpu" = torch.ops.prims.convert_element_type.default(div, torch.float32);  div = None
        amax: "f32[2, 4, 32, 1][128, 32, 1, 1]cpu" = torch.ops.aten.amax.default(convert_element_type_2, [-1], True)
        sub: "f32[2, 4, 32, 32][4096, 1024, 32, 1]cpu" = torch.ops.aten.sub.Tensor(convert_element_type_2, amax);  convert_element_type_2 = amax = None
        exp: "f32[2, 4, 32, 32][4096, 1024, 32, 1]cpu" = torch.ops.aten.exp.default(sub);  sub = None
        sum_1: "f32[2, 4, 32, 1][128, 32, 1, 1]cpu" = torch.ops.aten.sum.dim_IntList(exp, [-1], True)
        div_1: "f32[2, 4, 32, 32][4096, 1024, 32, 1]cpu" = torch.ops.aten.div.Tensor(exp, sum_1);  exp = sum_1 = None
        convert_element_type_3: "bf16[2, 4, 32, 32][4096, 1024, 32, 1]cpu" = torch.ops.prims.convert_element_type.default(div_1, torch.bfloat16);  div_1 = None
        expand_2: "bf16[2, 4, 32, 32][4096, 1024, 32, 1]cpu" = torch.ops.aten.expand.default(convert_element_type_3, [2, 4, 32, 32]);  convert_element_type_3 = None
        view_3: "bf16[8, 32, 32][1024, 32, 1]cpu" = torch.ops.aten.view.default(expand_2, [8, 32, 32]);  expand_2 = None
        expand_3: "bf16[2, 4, 32, 16][2048, 16, 64, 1]cpu" = torch.ops.aten.expand.default(permute_2, [2, 4, 32, 16]);  permute_2 = None
        clone_2: "bf16[2, 4, 32, 16][2048, 512, 16, 1]cpu" = torch.ops.aten.clone.default(expand_3, memory_format = torch.contiguous_format);  expand_3 = None
        view_4: "bf16[8, 32, 16][512, 16, 1]cpu" = torch.ops.aten.view.default(clone_2, [8, 32, 16]);  clone_2 = None
        bmm_1: "bf16[8, 32, 16][512, 16, 1]cpu" = torch.ops.aten.bmm.default(view_3, view_4);  view_3 = view_4 = None
        view_5: "bf16[2, 4, 32, 16][2048, 512, 16, 1]cpu" = torch.ops.aten.view.default(bmm_1, [2, 4, 32, 16]);  bmm_1 = None
        return (view_5,)
