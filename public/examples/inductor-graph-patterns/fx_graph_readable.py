class <lambda>(torch.nn.Module):
    def forward(self, arg0_1: "f32[8, 16][16, 1]cpu", arg1_1: "f32[16, 16][16, 1]cpu", arg2_1: "f32[8, 16][16, 1]cpu", arg3_1: "f32[16, 16][16, 1]cpu", arg4_1: "f32[16][1]cpu", arg5_1: "f32[2, 16][16, 1]cpu"):
        # File: graph_patterns.py:114 in compiled_function, code: both = x @ weight + y @ other
        mm: "f32[8, 16][16, 1]cpu" = torch.ops.aten.mm.default(arg0_1, arg1_1)
        mm_1: "f32[8, 16][16, 1]cpu" = torch.ops.aten.mm.default(arg2_1, arg3_1);  arg2_1 = arg3_1 = None
        add: "f32[8, 16][16, 1]cpu" = torch.ops.aten.add.Tensor(mm, mm_1);  mm = mm_1 = None

        # File: graph_patterns.py:115 in compiled_function, code: there_and_back = torch.relu(both).permute(1, 0).permute(1, 0)
        relu: "f32[8, 16][16, 1]cpu" = torch.ops.aten.relu.default(add);  add = None
        permute: "f32[16, 8][1, 16]cpu" = torch.ops.aten.permute.default(relu, [1, 0]);  relu = None
        permute_1: "f32[8, 16][16, 1]cpu" = torch.ops.aten.permute.default(permute, [1, 0]);  permute = None

        # File: graph_patterns.py:116 in compiled_function, code: turned = x.view(8, 4, 4).permute(2, 0, 1).permute(2, 0, 1)
        view: "f32[8, 4, 4][16, 4, 1]cpu" = torch.ops.aten.view.default(arg0_1, [8, 4, 4])
        permute_2: "f32[4, 8, 4][1, 16, 4]cpu" = torch.ops.aten.permute.default(view, [2, 0, 1]);  view = None
        permute_3: "f32[4, 4, 8][4, 1, 16]cpu" = torch.ops.aten.permute.default(permute_2, [2, 0, 1]);  permute_2 = None

        # File: graph_patterns.py:117 in compiled_function, code: scaled = there_and_back * torch.full((), 0.5)
        full: "f32[][]cpu" = torch.ops.aten.full.default([], 0.5, dtype = torch.float32, device = device(type='cpu'), pin_memory = False)
        mul: "f32[8, 16][16, 1]cpu" = torch.ops.aten.mul.Tensor(permute_1, full);  permute_1 = full = None

        # File: graph_patterns.py:118 in compiled_function, code: return scaled.sin(), turned.cos(), torch.addmm(bias, few, weight), torch.addmm(bias, x, weight)
        sin: "f32[8, 16][16, 1]cpu" = torch.ops.aten.sin.default(mul);  mul = None
        cos: "f32[4, 4, 8][4, 1, 16]cpu" = torch.ops.aten.cos.default(permute_3);  permute_3 = None
        addmm: "f32[2, 16][16, 1]cpu" = torch.ops.aten.addmm.default(arg4_1, arg5_1, arg1_1);  arg5_1 = None
        addmm_1: "f32[8, 16][16, 1]cpu" = torch.ops.aten.addmm.default(arg4_1, arg0_1, arg1_1);  arg4_1 = arg0_1 = arg1_1 = None
        return (sin, cos, addmm, addmm_1)
