class <lambda>(torch.nn.Module):
    def forward(self, arg0_1: "bf16[2, 4, 32, 16][2048, 512, 16, 1]cpu", arg1_1: "bf16[2, 2, 32, 16][1024, 512, 16, 1]cpu", arg2_1: "bf16[2, 1, 32, 32][1024, 1024, 32, 1]cpu", arg3_1: "bf16[2, 2, 32, 16][1024, 512, 16, 1]cpu"):
        # File: attention_model.py:48 in repeated, code: return t[:, :, None].expand(batch, heads, repeats, tokens, size).reshape(batch, heads * repeats, tokens, size)
        unsqueeze: "bf16[2, 2, 1, 32, 16][1024, 512, 512, 16, 1]cpu" = torch.ops.aten.unsqueeze.default(arg1_1, 2);  arg1_1 = None
        expand: "bf16[2, 2, 2, 32, 16][1024, 512, 0, 16, 1]cpu" = torch.ops.aten.expand.default(unsqueeze, [2, 2, 2, 32, 16]);  unsqueeze = None
        clone: "bf16[2, 2, 2, 32, 16][2048, 1024, 512, 16, 1]cpu" = torch.ops.aten.clone.default(expand, memory_format = torch.contiguous_format);  expand = None
        view: "bf16[2, 4, 32, 16][2048, 512, 16, 1]cpu" = torch.ops.aten.view.default(clone, [2, 4, 32, 16]);  clone = None

        # File: attention_model.py:50 in grouped, code: scores = q @ repeated(k).transpose(-2, -1) * 0.25 + mask
        permute: "bf16[2, 4, 16, 32][2048, 512, 1, 16]cpu" = torch.ops.aten.permute.default(view, [0, 1, 3, 2]);  view = None
        expand_1: "bf16[2, 4, 32, 16][2048, 512, 16, 1]cpu" = torch.ops.aten.expand.default(arg0_1, [2, 4, 32, 16]);  arg0_1 = None
        view_1: "bf16[8, 32, 16][512, 16, 1]cpu" = torch.ops.aten.view.default(expand_1, [8, 32, 16]);  expand_1 = None
        expand_2: "bf16[2, 4, 16, 32][2048, 512, 1, 16]cpu" = torch.ops.aten.expand.default(permute, [2, 4, 16, 32]);  permute = None
        view_2: "bf16[8, 16, 32][512, 1, 16]cpu" = torch.ops.aten.view.default(expand_2, [8, 16, 32]);  expand_2 = None
        bmm: "bf16[8, 32, 32][1024, 32, 1]cpu" = torch.ops.aten.bmm.default(view_1, view_2);  view_1 = view_2 = None
        view_3: "bf16[2, 4, 32, 32][4096, 1024, 32, 1]cpu" = torch.ops.aten.view.default(bmm, [2, 4, 32, 32]);  bmm = None
        mul: "bf16[2, 4, 32, 32][4096, 1024, 32, 1]cpu" = torch.ops.aten.mul.Tensor(view_3, 0.25);  view_3 = None
        add: "bf16[2, 4, 32, 32][4096, 1024, 32, 1]cpu" = torch.ops.aten.add.Tensor(mul, arg2_1);  mul = arg2_1 = None

        # File: attention_model.py:51 in grouped, code: return torch.softmax(scores, dim=-1, dtype=torch.float32).to(q.dtype) @ repeated(v)
        convert_element_type_2: "f32[2, 4, 32, 32][4096, 1024, 32, 1]cpu" = torch.ops.prims.convert_element_type.default(add, torch.float32);  add = None
        amax: "f32[2, 4, 32, 1][128, 32, 1, 1]cpu" = torch.ops.aten.amax.default(convert_element_type_2, [-1], True)
        sub: "f32[2, 4, 32, 32][4096, 1024, 32, 1]cpu" = torch.ops.aten.sub.Tensor(convert_element_type_2, amax);  convert_element_type_2 = amax = None
        exp: "f32[2, 4, 32, 32][4096, 1024, 32, 1]cpu" = torch.ops.aten.exp.default(sub);  sub = None
        sum_1: "f32[2, 4, 32, 1][128, 32, 1, 1]cpu" = torch.ops.aten.sum.dim_IntList(exp, [-1], True)
        div: "f32[2, 4, 32, 32][4096, 1024, 32, 1]cpu" = torch.ops.aten.div.Tensor(exp, sum_1);  exp = sum_1 = None
        convert_element_type_3: "bf16[2, 4, 32, 32][4096, 1024, 32, 1]cpu" = torch.ops.prims.convert_element_type.default(div, torch.bfloat16);  div = None

        # File: attention_model.py:48 in repeated, code: return t[:, :, None].expand(batch, heads, repeats, tokens, size).reshape(batch, heads * repeats, tokens, size)
        unsqueeze_1: "bf16[2, 2, 1, 32, 16][1024, 512, 512, 16, 1]cpu" = torch.ops.aten.unsqueeze.default(arg3_1, 2);  arg3_1 = None
        expand_3: "bf16[2, 2, 2, 32, 16][1024, 512, 0, 16, 1]cpu" = torch.ops.aten.expand.default(unsqueeze_1, [2, 2, 2, 32, 16]);  unsqueeze_1 = None
        clone_1: "bf16[2, 2, 2, 32, 16][2048, 1024, 512, 16, 1]cpu" = torch.ops.aten.clone.default(expand_3, memory_format = torch.contiguous_format);  expand_3 = None
        view_4: "bf16[2, 4, 32, 16][2048, 512, 16, 1]cpu" = torch.ops.aten.view.default(clone_1, [2, 4, 32, 16]);  clone_1 = None

        # File: attention_model.py:51 in grouped, code: return torch.softmax(scores, dim=-1, dtype=torch.float32).to(q.dtype) @ repeated(v)
        expand_4: "bf16[2, 4, 32, 32][4096, 1024, 32, 1]cpu" = torch.ops.aten.expand.default(convert_element_type_3, [2, 4, 32, 32]);  convert_element_type_3 = None
        view_5: "bf16[8, 32, 32][1024, 32, 1]cpu" = torch.ops.aten.view.default(expand_4, [8, 32, 32]);  expand_4 = None
        expand_5: "bf16[2, 4, 32, 16][2048, 512, 16, 1]cpu" = torch.ops.aten.expand.default(view_4, [2, 4, 32, 16]);  view_4 = None
        view_6: "bf16[8, 32, 16][512, 16, 1]cpu" = torch.ops.aten.view.default(expand_5, [8, 32, 16]);  expand_5 = None
        bmm_1: "bf16[8, 32, 16][512, 16, 1]cpu" = torch.ops.aten.bmm.default(view_5, view_6);  view_5 = view_6 = None
        view_7: "bf16[2, 4, 32, 16][2048, 512, 16, 1]cpu" = torch.ops.aten.view.default(bmm_1, [2, 4, 32, 16]);  bmm_1 = None
        return (view_7,)
