"""Names of PyTorch 2.14 in partly implemented modules that passes and backends import (torch/_module_names.py)."""

PASSES = {
    "torch._dynamo.backends.common": """
        AotAutograd AotAutogradKwargs P R SerializableAOTDispatchCompiler TensorifyScalarRestartAnalysis
        _disable_current_modes aot_autograd aot_module_simplified defake device_from_inputs disable dtype_from_inputs
        fake_tensor_unsupported flatten_graph_inputs mem_efficient_fusion_kwargs
    """,
    "torch._dynamo.backends.registry": """
        CompiledFn EntryPoint _BACKENDS _BACKEND_TAGS _COMPILER_FNS _default_backend _discover_entrypoint_backends
        _is_registered_backend _lazy_import get_default_backend list_backends lookup_backend register_backend
        set_default_backend
    """,
    "torch._functorch.aot_autograd": """
        AOTAutogradCache AOTConfig AOTDedupeWrapper AOTDispatchCompiler AOTGraphCapture AOTInput AOTState
        AOTSyntheticBaseWrapper BackwardSignature BufferAOTInput CompileEventLogger DifferentiableAOTInput FQN
        FakeTensorMode FakifiedFlatArgs GraphInputName GraphOutputName GraphSignature InputAliasInfo
        JointWithDescriptors KNOWN_TYPES MutationType OpaqueMeta OutputAliasInfo OutputType ParamAOTInput
        PhiloxStateTracker PlainAOTInput PytreeThunk SerializableAOTDispatchCompiler SerializableCompiledFunction
        SubclassCreationMeta SubclassMeta Tensor TensorAlias ViewAndMutationMeta _P _R _aot_export_function
        _check_if_mutation_can_be_in_graph _detect_attribute_assignment _get_autocast_states
        _try_get_metadata_from_dynamo aot_autograd_decompositions aot_compile_joint_with_descriptors
        aot_dispatch_subclass aot_export_joint_simple aot_export_joint_with_descriptors aot_export_module aot_function
        aot_module aot_module_simplified aot_stage1_graph_capture aot_stage2_compile aot_stage2_export
        are_all_mutations_hidden_from_autograd are_all_mutations_under_no_grad_or_inference_mode
        assert_functional_graph autograd_cache_key boxed_nop_preserve_node_meta call_func_at_runtime_with_args
        callback_set compile_to_python compiled_function compiled_module compute_overlapping_inputs
        construct_fake_mode create_aot_state create_functional_call create_functionalized_fn
        create_functionalized_rng_ops_wrapper create_graph_signature create_joint create_synthetic_base_metadata
        create_tree_flattened_fn default_partition describe_input detect_fake_mode dynamo_timed
        enable_python_dispatcher fn_input_mutations_to_outputs fn_prepped_for_autograd format_guard_bug_msg from_fun
        gen_alias_from_base get_aot_compilation_context get_aot_graph_name get_graph_being_compiled
        graph_being_compiled has_data_mutation has_metadata_mutation is_fun load_from_python make_boxed_compiler
        make_boxed_func make_fx maybe_get_fake_mode maybe_to_fresh_input model_name normalize_as_list nth_graph
        partial_flatten_asdict prepare_aot_config prepare_aot_module_simplified preserve_rng_state process_inputs
        remove_dupe_metadata reorder_kwargs requires_subclass_dispatch resolve_pre_grad_pass_timing
        root_module_when_exporting_non_strict run_functionalized_fw_and_collect_metadata set_feature_use
        set_model_name setup_stacktrace_preservation_hooks should_use_local_autograd_cache
        should_use_remote_autograd_cache simple_wraps sync_functional_tensor to_fun track_graph_compiling
        unwrap_tensor_subclasses unwrap_tensor_subclasses_with_indices_to_original wrap_tensor_subclasses
        wrap_tensor_subclasses_maybe_joint
    """,
    "torch._inductor.compile_fx": """
        BoxedBool BoxedDeviceIndex CompileEventLogger CompiledAOTI CompiledFxGraph CompiledFxGraphConstantsWithGm
        CompilerConfigExtra CustomPartitionerFn DebugContext FakeScriptObject FakeTensorProp FxCompile FxCompileConfig
        FxCompileMode FxGraphCache GmWrapper GraphLowering GraphModule GraphOutputName IRNode InductorError OrderedSet
        OutputCode PlaceholderInfo SerializableAOTDispatchCompiler ShortenTraceback SkipFrame SymExprPrinter
        TritonBundler V _CompileFxCallable _CompileFxKwargs _ConstantDecompTable _FxCompileStat _InProcessFxCompile _P
        _PyTreeCodeGen _T _WaitCounter _aoti_flatten_inputs _check_triton_bf16_support _compile_fx_inner
        _compile_fx_main _cudagraph_trees_clone_live_user_outputs _extract_inputs_from_exported_gm _fx_compile_config
        _fx_compile_mode_default _get_nested_region_inductor_config_patches _get_progression_configs
        _get_subgraph_names _maybe_wrap_and_compile_fx_main _patch_nested_region_inductor_config
        _propagate_invoke_subgraph_nested_region_config _recursive_joint_graph_passes _recursive_post_grad_passes
        _recursive_pre_grad_passes _recursive_record_original_output_strides
        _recursive_record_user_visible_output_idxs _resolve_name_collision _step_logger _unlift_graph
        _use_lazy_graph_module _warn_tf32_disabled align_inputs_from_check_idxs aot_export_module autograd_cache_key
        cache_dir chromium_event_timed clone_preserve_strides code_hash compile_fx compile_fx_aot compile_fx_backward
        compile_fx_forward compile_fx_inner compile_time_strobelight_meta copy_misaligned_inputs copy_strided_storage_
        count_tangents create_compiler_config_extra create_kernel_information_json create_mapping_pre_post_grad_nodes
        cudagraph_annotation_context cudagraph_trees_clone_live_user_visible_outputs cudagraphify cudagraphify_impl
        detect_fake_mode dynamo_timed enable_python_dispatcher fake_tensor_prop flatten_graph_inputs
        format_default_skip_message free_unbacked_symbols fresh_cache fw_compiler_freezing fx_codegen_and_compile
        fx_compile_async fx_compile_mode fx_compile_progressive get_all_devices get_cloned_parameter_buffer_name
        get_cpp_wrapper_config get_cuda_device_context get_device_type get_expanded_dims
        get_first_incompatible_cudagraph_node get_input_idxs_to_check get_inputs_devices get_interface_for_device
        get_kernel_information_jsons get_metrics_context get_num_model_outputs get_patched_config_dict
        get_static_bw_input_idxs get_static_input_idxs get_wrapper_codegen_for_device graph_returns_tuple
        handle_dynamo_export_graph has_triton index_expanded_dims index_expanded_dims_and_copy_
        init_backend_registration is_custom_class is_gpu is_tf32_warning_applicable joint_graph_passes
        lazy_format_graph_code log_cudagraph_skip_and_bump_counter log_optimus_to_scuba make_boxed_func
        make_graph_return_tuple maybe_disable_comprehensive_padding maybe_disable_graph_partition
        maybe_get_suppress_shape_guards_ctx min_cut_rematerialization_partition output_node partition_fn
        post_grad_passes pre_grad_passes record_original_output_strides remove_unaligned_input_idxs
        run_pre_grad_passes save_args_for_compile_fx_inner select_decomp_table set_feature_use shape_env_from_inputs
        should_assume_input_aligned should_use_remote_fx_graph_cache split_const_gm static_input tensor_is_aligned
        time_and_log trace_structured unwrap_tensor_subclass_parameters view_to_reshape with_fresh_cache_if_config
        wrap_compiler_debug
    """,
    "torch.fx.passes.infra.pass_base": """
        GraphModule PassBase PassResult compatibility
    """,
    "torch.fx.passes.infra.pass_manager": """
        GraphModule PassManager PassResult Queue _topological_sort_passes _validate_pass_schedule_constraint
        compatibility pass_result_wrapper this_before_that_pass_constraint
    """,
    "torch.fx.passes.pass_manager": """
        PassManager _P _R _T _validate_pass_schedule_constraint inplace_wrapper log_hook loop_pass
        these_before_those_pass_constraint this_before_that_pass_constraint
    """,
}
