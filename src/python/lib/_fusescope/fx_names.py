"""Names of PyTorch 2.14 in the partly implemented modules of torch.fx (torch/_module_names.py)."""

FX = {
    "torch.fx._symbolic_trace": """
        CURRENT_PATCHER FakeScriptObject Graph GraphModule HAS_VARSTUFF PH PHBase PHWithMeta ParameterProxy Proxy
        ProxyableClassMeta Scope ScopeContextManager ScriptObject Tracer TracerBase _F _P _PatchedFn _PatchedFnDel
        _PatchedFnSetAttr _PatchedFnSetItem _Patcher _PyTreeCodeGen _PyTreeInfo _T _assert_is_none _autowrap_check
        _constant_attribute_types _create_wrapped_func _create_wrapped_method _find_proxy _get_is_fx_tracing
        _is_fx_tracing_context _make_graph_module _maybe_revert_all_patches _new_patcher _orig_module_call
        _orig_module_getattr _patch_function _patch_wrapped_functions _proxyable_classes _set_is_fx_tracing
        _transfer_attrs _wrapped_fns_to_patch _wrapped_methods_to_patch base_types compatibility is_custom_class
        is_fx_symbolic_tracing is_fx_tracing is_fx_tracing_warning is_opaque_symbolic_type map_aggregate
        symbolic_trace wrap
    """,
    "torch.fx._lazy_graph_module": """
        GraphModule PackageExporter _LazyGraphModule _force_skip_lazy_graph_module _force_skip_lazy_graph_module_flag
        _format_import_block _get_graph_module_cls _make_graph_module _unwrap_lazy_graph_module _use_lazy_graph_module
        _use_lazy_graph_module_flag compatibility reduce_graph_module reduce_package_graph_module sys_importer
    """,
    "torch.fx.experimental.proxy_tensor": """
        BackwardState CONSTANT_NUMEL_LIMIT CustomClassBase DecompositionInterpreter FakeScriptObject FakeTensor
        FakeTensorMode FunctionalTensor GraphModule HANDLED_TYPES HigherOrderOperator IntVar Module ORIGINAL_ATEN
        OpOverload ParamsSpec PreDispatchTorchFunctionMode Proxy ProxyTorchDispatchMode PythonKeyTracer R ShapesSpec
        SymBool SymInt SymNode T Tensor TensorSpec Thunk TorchDispatchMode TorchFunctionMetadataMode TorchFunctionMode
        TraceableWrapperSubclass Tracer U WeakIdKeyDictionary WeakTensorKeyDictionary _AnyScriptObject _AttrProxy
        _CURRENT_MAKE_FX_TRACER _DisableUpdateTensorTracker _FAKE_TENSOR_ID_TO_PROXY_MAP_FOR_EXPORT
        _GraphAppendingTracerEx _HasMeta _MakefxTracer _ModuleNotInstalledAsSubmoduleError _ModuleStackTracer
        _NoDefault _OpaqueObjectProxyType _P _ProxyTensor _PySymProxyType _SelectiveDecomposeInterpreter _SymNodeDict
        _SympyExprTrackerValue _Ts _WeakHashRef _assign_attr _build_proxy_for_sym_expr _coerce_to_shapes_spec
        _compute_proxy _coor_check_current_accelerator _coor_current_accelerator _coor_current_device
        _coor_current_device_fake _coor_current_device_impl _coor_enabled _coor_match_current_accelerator
        _coor_traced_current_accelerator _current_device_edge _disable_infra_mode _disable_update_tensor_tracker_tls
        _enable_thunkify _extract_tensor_metadata _fetch_proxies_and_all_constant_flag _get_proxies
        _init_proxy_trackers _is_proxy_tensor_update_tensor_tracker_disabled _jvp_predispatch_functions
        _make_temp_remove_mode_context_manager _maybe_record_pointwise_barrier _nary_sym_max _nary_sym_min
        _proxy_tensor_disable_update_tensor_tracker _push_mode _pytree_subclasses_that_lose_info _set_make_fx_tracer
        _set_unbacked_bindings _should_save_eager_input_vals _side_effectful_functions
        _side_effectful_need_to_be_preserved_pre_dispatch _sym_register _sympy_handlers
        _temp_remove_metadata_torch_function_mode _temp_remove_pre_dispatch_torch_function_mode _unset_infra_mode
        autograd_would_have_decomposed count decompose disable_autocast_cache disable_proxy_modes_tracing
        dispatch_trace enable_python_dispatcher extract_val fake_signature fast_detach fetch_object_proxy
        fetch_sym_proxy get_innermost_proxy_mode get_isolated_graphmodule get_plain_tensors get_proxy_mode
        get_proxy_slot get_reconstruct_fn get_torch_dispatch_modes handle_sym_dispatch has_proxy_slot
        is_custom_class_obj is_fake is_fake_tensor is_opaque_constant_type is_opaque_symbolic_type is_sparse_any
        is_sym_node make_fx maybe_disable_thunkify maybe_enable_thunkify maybe_get_fake_mode maybe_handle_decomp
        no_default proxy_call proxy_slot py_sym_types selective_decompose set_meta set_original_aten_op set_proxy_slot
        should_hoist snapshot_fake thunkify trace_structured track_tensor track_tensor_tree unset_fake_temporarily
        wrap_key wrapper_and_args_for_make_fx
    """,
    "torch.fx.graph_module": """
        FX_GRAPH_MODULE_FILE_PREFIX Graph GraphModule Importer PackageExporter PackageImporter PythonCode
        _BoxedCodeGen _CodeOnlyModule _EvalCacheLoader _PyTreeCodeGen _USER_PRESERVED_ATTRIBUTES_KEY _WrappedCall
        _addindent _assign_attr _copy_attr _custom_builtins _del_attr _deserialize_graph_module _exec_with_source
        _format_import_block _format_import_statement _forward_from_src _get_attr _get_attr_via_attr_list _has_attr
        _is_from_torch _loader _metadata_hash _method_from_src _override_sym_repr _print_readable
        _share_torchbind_and_process_group _share_torchbind_and_process_group_on_deepcopy compatibility
        reduce_graph_module reduce_package_graph_module sys_importer
    """,
    "torch.fx.interpreter": """
        Graph GraphModule Interpreter LazyString Node Proxy Tracer Transformer _format_fx_node _make_graph_module
        compatibility map_aggregate map_arg trace_structured
    """,
    "torch.fx.passes": """

    """,
    "torch.fx.passes.fake_tensor_prop": """
        FakeTensor FakeTensorMode FakeTensorProp Node OrderedSet compatibility is_fake_tensor map_aggregate
        py_sym_types snapshot_fake
    """,
    "torch.fx.passes.graph_transform_observer": """
        FxGraphDrawer Graph GraphModule GraphTransformObserver Node NodeSource NodeSourceAction T compatibility
    """,
    "torch.fx.passes.operator_support": """
        CALLABLE_NODE_OPS OpSupports OperatorSupport OperatorSupportBase TensorMetadata _get_arg_dtype any_chain chain
        compatibility create_op_support get_node_target
    """,
    "torch.fx.passes.shape_prop": """
        Node ShapeProp TensorMetadata _extract_tensor_metadata compatibility detect_fake_mode enable_python_dispatcher
        is_contiguous_for_memory_format_or_false is_sparse_any map_aggregate
    """,
    "torch.fx.passes.split_module": """
        GraphModule Node Partition _LazyGraphModule _build_stitching_graph _clone_nodes_into_partitions
        _decompose_size_nodes _detect_dependencies _get_attr_from_qualname _make_graph_module _make_lite_graph_module
        compatibility lazy_format_graph_code split_module split_module_simple
    """,
    "torch.fx.passes.tools_common": """
        CALLABLE_NODE_OPS FxNetAccFusionsFinder _get_qualified_name compatibility get_acc_ops_name get_node_target
        is_node_output_tensor legalize_graph stable_topological_sort
    """,
    "torch.fx.passes.utils": """
        HolderModule compare_graphs lift_subgraph_as_module
    """,
    "torch.fx.passes.utils.fuser_utils": """
        Graph GraphModule Node compatibility erase_nodes fuse_as_graphmodule fuse_by_partitions insert_subgm
        legalize_graph lift_subgraph_as_module topo_sort validate_partition
    """,
    "torch.fx.passes.utils.matcher_utils": """
        Graph InternalMatch Node SubgraphMatcher _init_logger compatibility
    """,
    "torch.fx.passes.utils.source_matcher_utils": """
        Graph Node SourcePartition _init_logger check_subgraphs_connected compatibility get_source_partitions
    """,
    "torch.fx.proxy": """
        Attribute CapturedTraceback Graph GraphAppendingTracer MetaProxy Node ParameterProxy Proxy Scope
        ScopeContextManager TraceError TracerBase _COPY_META_FIELDS _STACK_TRACE_ANCHORS _create_arg_bypass
        _create_arg_dict _define_reflectable _find_arbitrary_callable _get_seq_nr _is_arbitrary_callable
        _no_nodes_error _register_stack_trace_anchor _scope assert_fn base_types check_for_mutable_operation
        compatibility getArtifactLogger immutable_dict immutable_list is_opaque_constant_type magic_methods map_arg
        method orig_method_name reflectable_magic_methods tree_map_
    """,
    "torch.fx.subgraph_rewriter": """
        Graph GraphModule Match Node ReplacedPatterns _replace_attributes _replace_pattern compatibility
        replace_pattern replace_pattern_with_filters symbolic_trace
    """,
    "torch.fx.traceback": """
        GRADIENT_ACC_SPECIAL_STACK Graph GraphModule MEMORY_BUDGET_ANNOTATION_KEY Node NodeSource NodeSourceAction
        _FX_METADATA_REGISTRY _P _R _get_custom_metadata _get_memory_budget_annotation _get_ordered_seq_nr_groups
        _get_regional_inductor_subgraph_name _is_preserving_node_seq_nr _mark_autograd_backward _preserve_node_seq_nr
        _register_fx_metadata _reset_autograd_backward _set_autograd_backward _set_regional_inductor_subgraph_name
        _should_preserve_node_meta annotate annotate_fn compatibility current_meta current_replay_node format_stack
        get_current_meta get_current_replay_node get_graph_provenance_json has_preserved_node_meta preserve_node_meta
        reset_grad_fn_seq_nr set_current_meta set_current_replay_node set_grad_fn_seq_nr set_stack_trace
        should_preserve_node_meta signpost_event
    """,
    "torch.overrides": """
        BaseTorchFunctionMode TorchFunctionMode _P _R _add_docstr _disable_user_warnings _enable_torch_function
        _get_current_function_mode _get_current_function_mode_stack _get_function_stack_at _get_overloaded_args
        _get_overridable_functions _get_tensor_methods _has_torch_function _has_torch_function_unary
        _has_torch_function_variadic _is_torch_function_mode_enabled _len_torch_function_stack _pop_mode
        _pop_mode_temporarily _pop_torch_function_stack _push_mode _push_on_torch_function_stack
        enable_reentrant_dispatch get_default_nowrap_functions get_ignored_functions get_overridable_functions
        get_testing_overrides handle_torch_function has_torch_function has_torch_function_unary
        has_torch_function_variadic is_tensor_like is_tensor_method_or_property redispatch_function resolve_name
        wrap_torch_function
    """,
}
