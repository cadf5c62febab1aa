"""Defaults of torch._functorch.config in PyTorch 2.14.1 on Linux."""

import json

DEFAULTS = json.loads(r"""{
"functionalize_rng_ops": false, "fake_tensor_allow_meta": true, "debug_assert": false, "debug_partitioner": false,
"decompose_custom_triton_ops": true, "static_weight_shapes": true, "treat_parameters_as_free_to_save": true,
"cse": true, "unsafe_treat_script_objects_as_zero_size": false, "enable_autograd_cache": true,
"autograd_cache_allow_custom_autograd_functions": false, "bundled_autograd_cache": false,
"bypass_autograd_cache_key": false, "autograd_cache_normalize_inputs": true, "check_custom_op_aliasing": true,
"error_on_custom_op_aliasing": false, "enable_remote_autograd_cache": null, "view_replay_for_aliased_outputs": true,
"max_dist_from_bw": 1000, "ban_recompute_used_far_apart": true, "ban_recompute_long_fusible_chains": true,
"ban_recompute_materialized_backward": true, "ban_recompute_not_in_allowlist": true,
"ban_recompute_reductions": true, "recompute_views": false, "is_non_builtin_to_include": false,
"remat_using_tags_for_fwd_loss_bwd_graph": true, "activation_memory_budget": 1.0,
"activation_memory_budget_runtime_estimator": "flops", "activation_memory_budget_solver": "dp",
"visualize_memory_budget_pareto": false, "memory_budget_pareto_dir": null, "aggressive_recomputation": false,
"enable_activation_offloading": false, "activation_offload_separate_stream": false,
"activation_offload_sink_wait": false, "activation_reload_prefetch": false, "activation_offload_cpu_gpu_bw": 50.0,
"fake_tensor_allow_unsafe_data_ptr_access": true, "unlift_effect_tokens": false,
"custom_op_default_layout_constraint": "needs_exact_strides", "fake_tensor_crossref": false,
"fake_tensor_propagate_real_tensors": false, "backward_pass_autocast": "same_as_forward", "donated_buffer": true,
"torch_compile_graph_format": "svg", "generate_fake_kernels_from_real_mismatches": false,
"fake_tensor_prefer_device_type": null, "graphsafe_rng_functionalization": true,
"force_non_lazy_backward_lowering": false, "_test_disable_functionalization": true, "strict_autograd_cache": false,
"unsafe_allow_optimization_of_collectives": false, "disable_guess_zero_tangent_for_mutated_input_subclass": false,
"guess_tangent_strides_as_outputs": true, "_sync_decision_cross_ranks": false,
"saved_tensors_hooks_filtering_mode": "donated", "joint_custom_pass": null, "force_autograd_cache": false,
"selective_decompose": false, "enable_complex_wrapper": false
}""")
