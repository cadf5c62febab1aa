class <lambda>(torch.nn.Module):
    def forward(self, arg0_1: "f16[8, 128][128, 1]cpu", arg1_1: "f16[128, 128][128, 1]cpu", arg2_1: "f16[128][1]cpu", arg3_1: "f16[128, 128][128, 1]cpu", arg4_1: "f16[128][1]cpu", arg5_1: "f16[128, 128][128, 1]cpu", arg6_1: "f16[128][1]cpu", arg7_1: "f16[128, 128][128, 1]cpu", arg8_1: "f16[128][1]cpu", arg9_1: "f16[1024, 128][128, 1]cpu"):
        # File: /home/sgl/conformance/examples/record_sglang.py:217 in model, code: x, residual = add_norm(x @ w, residual, weight)
        mm: "f16[8, 128][128, 1]cpu" = torch.ops.aten.mm.default(arg0_1, arg1_1);  arg0_1 = None

        # File: /home/sgl/conformance/examples/record_sglang.py:45 in all_reduce, code: reduced = torch.ops._c10d_functional.all_reduce.default(x, "sum", "tp:0")
        all_reduce: "f16[8, 128][128, 1]cpu" = torch.ops._c10d_functional.all_reduce.default(mm, 'sum', 'tp:0');  mm = None

        # File: /home/sgl/conformance/examples/record_sglang.py:46 in all_reduce, code: return torch.ops._c10d_functional.wait_tensor.default(reduced)
        wait_tensor: "f16[8, 128][128, 1]cpu" = torch.ops._c10d_functional.wait_tensor.default(all_reduce);  all_reduce = None

        # File: /home/sgl/conformance/examples/record_sglang.py:215 in model, code: residual = torch.zeros_like(x)
        full_default: "f16[8, 128][128, 1]cpu" = torch.ops.aten.full.default([8, 128], 0, dtype = torch.float16, layout = torch.strided, device = device(type='cpu'), pin_memory = False)

        # File: /home/sgl/conformance/examples/record_sglang.py:205 in add_norm, code: kernel.fused_add_rmsnorm(x, residual, weight, 1e-6, False)
        auto_functionalized_v2 = torch.ops.higher_order.auto_functionalized_v2(torch.ops.sgl_kernel.fused_add_rmsnorm.default, weight = arg2_1, eps = 1e-06, enable_pdl = False, _input_base_index = 0, _residual_base_index = 1, _all_bases = [wait_tensor, full_default]);  wait_tensor = full_default = None
        getitem_1: "f16[8, 128][128, 1]cpu" = auto_functionalized_v2[1]
        getitem_2: "f16[8, 128][128, 1]cpu" = auto_functionalized_v2[2];  auto_functionalized_v2 = None

        # File: /home/sgl/conformance/examples/record_sglang.py:217 in model, code: x, residual = add_norm(x @ w, residual, weight)
        mm_1: "f16[8, 128][128, 1]cpu" = torch.ops.aten.mm.default(getitem_1, arg3_1);  getitem_1 = None

        # File: /home/sgl/conformance/examples/record_sglang.py:45 in all_reduce, code: reduced = torch.ops._c10d_functional.all_reduce.default(x, "sum", "tp:0")
        all_reduce_1: "f16[8, 128][128, 1]cpu" = torch.ops._c10d_functional.all_reduce.default(mm_1, 'sum', 'tp:0');  mm_1 = None

        # File: /home/sgl/conformance/examples/record_sglang.py:46 in all_reduce, code: return torch.ops._c10d_functional.wait_tensor.default(reduced)
        wait_tensor_1: "f16[8, 128][128, 1]cpu" = torch.ops._c10d_functional.wait_tensor.default(all_reduce_1);  all_reduce_1 = None

        # File: /home/sgl/conformance/examples/record_sglang.py:205 in add_norm, code: kernel.fused_add_rmsnorm(x, residual, weight, 1e-6, False)
        auto_functionalized_v2_1 = torch.ops.higher_order.auto_functionalized_v2(torch.ops.sgl_kernel.fused_add_rmsnorm.default, weight = arg4_1, eps = 1e-06, enable_pdl = False, _input_base_index = 0, _residual_base_index = 1, _all_bases = [wait_tensor_1, getitem_2]);  wait_tensor_1 = getitem_2 = None
        getitem_4: "f16[8, 128][128, 1]cpu" = auto_functionalized_v2_1[1]
        getitem_5: "f16[8, 128][128, 1]cpu" = auto_functionalized_v2_1[2];  auto_functionalized_v2_1 = None

        # File: /home/sgl/conformance/examples/record_sglang.py:217 in model, code: x, residual = add_norm(x @ w, residual, weight)
        mm_2: "f16[8, 128][128, 1]cpu" = torch.ops.aten.mm.default(getitem_4, arg5_1);  getitem_4 = None

        # File: /home/sgl/conformance/examples/record_sglang.py:45 in all_reduce, code: reduced = torch.ops._c10d_functional.all_reduce.default(x, "sum", "tp:0")
        all_reduce_2: "f16[8, 128][128, 1]cpu" = torch.ops._c10d_functional.all_reduce.default(mm_2, 'sum', 'tp:0');  mm_2 = None

        # File: /home/sgl/conformance/examples/record_sglang.py:46 in all_reduce, code: return torch.ops._c10d_functional.wait_tensor.default(reduced)
        wait_tensor_2: "f16[8, 128][128, 1]cpu" = torch.ops._c10d_functional.wait_tensor.default(all_reduce_2);  all_reduce_2 = None

        # File: /home/sgl/conformance/examples/record_sglang.py:205 in add_norm, code: kernel.fused_add_rmsnorm(x, residual, weight, 1e-6, False)
        auto_functionalized_v2_2 = torch.ops.higher_order.auto_functionalized_v2(torch.ops.sgl_kernel.fused_add_rmsnorm.default, weight = arg6_1, eps = 1e-06, enable_pdl = False, _input_base_index = 0, _residual_base_index = 1, _all_bases = [wait_tensor_2, getitem_5]);  wait_tensor_2 = getitem_5 = None
        getitem_7: "f16[8, 128][128, 1]cpu" = auto_functionalized_v2_2[1]
        getitem_8: "f16[8, 128][128, 1]cpu" = auto_functionalized_v2_2[2];  auto_functionalized_v2_2 = None

        # File: /home/sgl/conformance/examples/record_sglang.py:217 in model, code: x, residual = add_norm(x @ w, residual, weight)
        mm_3: "f16[8, 128][128, 1]cpu" = torch.ops.aten.mm.default(getitem_7, arg7_1);  getitem_7 = None

        # File: /home/sgl/conformance/examples/record_sglang.py:45 in all_reduce, code: reduced = torch.ops._c10d_functional.all_reduce.default(x, "sum", "tp:0")
        all_reduce_3: "f16[8, 128][128, 1]cpu" = torch.ops._c10d_functional.all_reduce.default(mm_3, 'sum', 'tp:0');  mm_3 = None

        # File: /home/sgl/conformance/examples/record_sglang.py:46 in all_reduce, code: return torch.ops._c10d_functional.wait_tensor.default(reduced)
        wait_tensor_3: "f16[8, 128][128, 1]cpu" = torch.ops._c10d_functional.wait_tensor.default(all_reduce_3);  all_reduce_3 = None

        # File: /home/sgl/conformance/examples/record_sglang.py:205 in add_norm, code: kernel.fused_add_rmsnorm(x, residual, weight, 1e-6, False)
        auto_functionalized_v2_3 = torch.ops.higher_order.auto_functionalized_v2(torch.ops.sgl_kernel.fused_add_rmsnorm.default, weight = arg8_1, eps = 1e-06, enable_pdl = False, _input_base_index = 0, _residual_base_index = 1, _all_bases = [wait_tensor_3, getitem_8]);  wait_tensor_3 = getitem_8 = None
        getitem_10: "f16[8, 128][128, 1]cpu" = auto_functionalized_v2_3[1]
        getitem_11: "f16[8, 128][128, 1]cpu" = auto_functionalized_v2_3[2];  auto_functionalized_v2_3 = None

        # File: /home/sgl/conformance/examples/record_sglang.py:217 in model, code: x, residual = add_norm(x @ w, residual, weight)
        mm_4: "f16[1024, 128][128, 1]cpu" = torch.ops.aten.mm.default(arg9_1, arg1_1);  arg9_1 = arg1_1 = None

        # File: /home/sgl/conformance/examples/record_sglang.py:45 in all_reduce, code: reduced = torch.ops._c10d_functional.all_reduce.default(x, "sum", "tp:0")
        all_reduce_4: "f16[1024, 128][128, 1]cpu" = torch.ops._c10d_functional.all_reduce.default(mm_4, 'sum', 'tp:0');  mm_4 = None

        # File: /home/sgl/conformance/examples/record_sglang.py:46 in all_reduce, code: return torch.ops._c10d_functional.wait_tensor.default(reduced)
        wait_tensor_4: "f16[1024, 128][128, 1]cpu" = torch.ops._c10d_functional.wait_tensor.default(all_reduce_4);  all_reduce_4 = None

        # File: /home/sgl/conformance/examples/record_sglang.py:215 in model, code: residual = torch.zeros_like(x)
        full_default_1: "f16[1024, 128][128, 1]cpu" = torch.ops.aten.full.default([1024, 128], 0, dtype = torch.float16, layout = torch.strided, device = device(type='cpu'), pin_memory = False)

        # File: /home/sgl/conformance/examples/record_sglang.py:205 in add_norm, code: kernel.fused_add_rmsnorm(x, residual, weight, 1e-6, False)
        auto_functionalized_v2_4 = torch.ops.higher_order.auto_functionalized_v2(torch.ops.sgl_kernel.fused_add_rmsnorm.default, weight = arg2_1, eps = 1e-06, enable_pdl = False, _input_base_index = 0, _residual_base_index = 1, _all_bases = [wait_tensor_4, full_default_1]);  arg2_1 = wait_tensor_4 = full_default_1 = None
        getitem_13: "f16[1024, 128][128, 1]cpu" = auto_functionalized_v2_4[1]
        getitem_14: "f16[1024, 128][128, 1]cpu" = auto_functionalized_v2_4[2];  auto_functionalized_v2_4 = None

        # File: /home/sgl/conformance/examples/record_sglang.py:217 in model, code: x, residual = add_norm(x @ w, residual, weight)
        mm_5: "f16[1024, 128][128, 1]cpu" = torch.ops.aten.mm.default(getitem_13, arg3_1);  getitem_13 = arg3_1 = None

        # File: /home/sgl/conformance/examples/record_sglang.py:45 in all_reduce, code: reduced = torch.ops._c10d_functional.all_reduce.default(x, "sum", "tp:0")
        all_reduce_5: "f16[1024, 128][128, 1]cpu" = torch.ops._c10d_functional.all_reduce.default(mm_5, 'sum', 'tp:0');  mm_5 = None

        # File: /home/sgl/conformance/examples/record_sglang.py:46 in all_reduce, code: return torch.ops._c10d_functional.wait_tensor.default(reduced)
        wait_tensor_5: "f16[1024, 128][128, 1]cpu" = torch.ops._c10d_functional.wait_tensor.default(all_reduce_5);  all_reduce_5 = None

        # File: /home/sgl/conformance/examples/record_sglang.py:205 in add_norm, code: kernel.fused_add_rmsnorm(x, residual, weight, 1e-6, False)
        auto_functionalized_v2_5 = torch.ops.higher_order.auto_functionalized_v2(torch.ops.sgl_kernel.fused_add_rmsnorm.default, weight = arg4_1, eps = 1e-06, enable_pdl = False, _input_base_index = 0, _residual_base_index = 1, _all_bases = [wait_tensor_5, getitem_14]);  arg4_1 = wait_tensor_5 = getitem_14 = None
        getitem_16: "f16[1024, 128][128, 1]cpu" = auto_functionalized_v2_5[1]
        getitem_17: "f16[1024, 128][128, 1]cpu" = auto_functionalized_v2_5[2];  auto_functionalized_v2_5 = None

        # File: /home/sgl/conformance/examples/record_sglang.py:217 in model, code: x, residual = add_norm(x @ w, residual, weight)
        mm_6: "f16[1024, 128][128, 1]cpu" = torch.ops.aten.mm.default(getitem_16, arg5_1);  getitem_16 = arg5_1 = None

        # File: /home/sgl/conformance/examples/record_sglang.py:45 in all_reduce, code: reduced = torch.ops._c10d_functional.all_reduce.default(x, "sum", "tp:0")
        all_reduce_6: "f16[1024, 128][128, 1]cpu" = torch.ops._c10d_functional.all_reduce.default(mm_6, 'sum', 'tp:0');  mm_6 = None

        # File: /home/sgl/conformance/examples/record_sglang.py:46 in all_reduce, code: return torch.ops._c10d_functional.wait_tensor.default(reduced)
        wait_tensor_6: "f16[1024, 128][128, 1]cpu" = torch.ops._c10d_functional.wait_tensor.default(all_reduce_6);  all_reduce_6 = None

        # File: /home/sgl/conformance/examples/record_sglang.py:205 in add_norm, code: kernel.fused_add_rmsnorm(x, residual, weight, 1e-6, False)
        auto_functionalized_v2_6 = torch.ops.higher_order.auto_functionalized_v2(torch.ops.sgl_kernel.fused_add_rmsnorm.default, weight = arg6_1, eps = 1e-06, enable_pdl = False, _input_base_index = 0, _residual_base_index = 1, _all_bases = [wait_tensor_6, getitem_17]);  arg6_1 = wait_tensor_6 = getitem_17 = None
        getitem_19: "f16[1024, 128][128, 1]cpu" = auto_functionalized_v2_6[1]
        getitem_20: "f16[1024, 128][128, 1]cpu" = auto_functionalized_v2_6[2];  auto_functionalized_v2_6 = None

        # File: /home/sgl/conformance/examples/record_sglang.py:217 in model, code: x, residual = add_norm(x @ w, residual, weight)
        mm_7: "f16[1024, 128][128, 1]cpu" = torch.ops.aten.mm.default(getitem_19, arg7_1);  getitem_19 = arg7_1 = None

        # File: /home/sgl/conformance/examples/record_sglang.py:45 in all_reduce, code: reduced = torch.ops._c10d_functional.all_reduce.default(x, "sum", "tp:0")
        all_reduce_7: "f16[1024, 128][128, 1]cpu" = torch.ops._c10d_functional.all_reduce.default(mm_7, 'sum', 'tp:0');  mm_7 = None

        # File: /home/sgl/conformance/examples/record_sglang.py:46 in all_reduce, code: return torch.ops._c10d_functional.wait_tensor.default(reduced)
        wait_tensor_7: "f16[1024, 128][128, 1]cpu" = torch.ops._c10d_functional.wait_tensor.default(all_reduce_7);  all_reduce_7 = None

        # File: /home/sgl/conformance/examples/record_sglang.py:205 in add_norm, code: kernel.fused_add_rmsnorm(x, residual, weight, 1e-6, False)
        auto_functionalized_v2_7 = torch.ops.higher_order.auto_functionalized_v2(torch.ops.sgl_kernel.fused_add_rmsnorm.default, weight = arg8_1, eps = 1e-06, enable_pdl = False, _input_base_index = 0, _residual_base_index = 1, _all_bases = [wait_tensor_7, getitem_20]);  arg8_1 = wait_tensor_7 = getitem_20 = None
        getitem_22: "f16[1024, 128][128, 1]cpu" = auto_functionalized_v2_7[1]
        getitem_23: "f16[1024, 128][128, 1]cpu" = auto_functionalized_v2_7[2];  auto_functionalized_v2_7 = None

        # File: /home/sgl/conformance/examples/record_sglang.py:218 in model, code: results.append(x + residual)
        add: "f16[8, 128][128, 1]cpu" = torch.ops.aten.add.Tensor(getitem_10, getitem_11);  getitem_10 = getitem_11 = None
        add_1: "f16[1024, 128][128, 1]cpu" = torch.ops.aten.add.Tensor(getitem_22, getitem_23);  getitem_22 = getitem_23 = None
        return (add, add_1)
