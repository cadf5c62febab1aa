"""Names of PyTorch 2.14 in modules of which only a part is implemented: the rest of them are stubs, a misspelled name is an error."""

from _fusescope.fx_names import FX
from _fusescope.pass_names import PASSES

NAMES = {
    "torch._guards": """
        CapturedTraceback ChainedSource Checkpointable CompileContext CompileId DuplicateInputs GlobalContext
        GlobalContextCheckpointState Guard GuardBuilderBase GuardEnvExpr GuardSource GuardsCheckpointState GuardsContext GuardsSet
        HopDispatchSetCache HopSubgraphCache InlinedCodeCache InvokeSubgraphCache InvokeSubgraphReuseCondition
        InvokeSubgraphReuseEntry ModuleContext ModuleContextCheckpointState OrderedSet SLoc ShapeGuard Source StorageOverlap
        TraceId TracingContext WeakTensorKeyDictionary active_fake_mode compile_context dataclass_with_cached_hash
        detect_fake_mode format_frame is_traceable_wrapper_subclass pytree tracing
    """,
    "torch._higher_order_ops": """
        BaseHOP InvokeQuant aoti_call_delegate associative_scan auto_functionalize auto_functionalized auto_functionalized_v2
        base_hop call_torchbind cond dynamo_bypassing_wrapper effects executorch_call_delegate flat_apply flex_attention
        flex_attention_backward flex_gemm foreach_map hints_wrap hints_wrapper inductor_compiled_code inline_asm_elementwise
        invoke_leaf_function invoke_quant invoke_quant_packed invoke_subgraph local_map local_map_hop map out_dtype partitioner
        print run_const_graph scan schema strict_mode switch tag_activation_checkpoint torchbind triton_kernel_wrap utils
        while_loop while_loop_stack_output with_effects wrap wrap_activation_checkpoint wrap_with_autocast
        wrap_with_set_grad_enabled
    """,
    "torch._higher_order_ops.auto_functionalize": """
        AliasViewInfo AsStridedViewInfo AutoFunctionalized AutoFunctionalizedV2 DispatchKey FunctionalCallableWithEpilogue
        HigherOrderOperator HopInstance HopSchema NotView OpOverload OperatorBase ProxyTorchDispatchMode SchemaHolder
        SliceViewInfo Tensor ViewInfo auto_functionalized auto_functionalized_dense auto_functionalized_fake
        auto_functionalized_func auto_functionalized_proxy auto_functionalized_v2 auto_functionalized_v2_dense
        auto_functionalized_v2_fake auto_functionalized_v2_func auto_functionalized_v2_proxy call_op can_auto_functionalize
        clone_preserve_strides disable_proxy_modes_tracing do_auto_functionalize do_auto_functionalize_v2 get_base
        get_mutable_args get_mutable_args_from_schema is_alias library_utils materialize_callable_in_args pytree
        read_view_information_from_args register_fake track_tensor_tree try_use_slice unique_graph_id
        write_view_information_to_args
    """,
    "torch._inductor": """
        CompiledArtifact analysis aot_compile aoti_compile_and_package aoti_load_package compile compile_to_python config
        cpp_builder cpu_vec_isa cudagraph_mark_step_begin cudagraph_utils custom_graph_pass exc list_mode_options list_options
        lite_mode_options load_from_python runtime standalone_compile test_operators utils
    """,
    "torch._inductor.custom_graph_pass": """
        CustomGraphModulePass CustomGraphPass CustomInferenceAwareGraphPass CustomKnapsackSolver CustomPartitionerFn
        CustomPassBase CustomRuntimeEstimator CustomSchedulerPass get_custom_graph_passes get_hash_for_files
    """,
    "torch._inductor.decomposition": """
        ELEMENTWISE_TYPE_PROMOTION_KIND add addmm amax amin angle aten bmm bucketize_scalar cat choose_qparams_tensor clamp config
        conj_physical conv1d_to_conv2d convolution_backward core_aten_decompositions counters decomp
        decomp_embedding_dense_backward decomp_grid_sampler_2d decomp_native_layer_norm decompositions decomps_to_exclude
        elementwise_dtypes empty_permuted extra_random_decomps fast_random_decomps fmax fmin full full_like get_decompositions
        grid_sampler_2d guard_or_false index_add index_reduce inductor_decompositions inductor_prims is_fbcode is_gpu lift
        linear_dynamic_fp16_unpacked_weight masked_scatter max_pool2d_with_indices max_pool3d_with_indices miopen_batch_norm mm
        narrow_copy needs_fallback_due_to_atomic_add_limitations normal out_dtype pad_listlike prims put put_
        q_embedding_bag_byte_unpack_decomp quantized quantized_decomposed rand_like randint randint_like randint_like_low
        randn_like register_decomposition remove_decompositions repeat_interleave_Tensor round_dec rrelu_with_noise_functional
        searchsorted_scalar select_decomp_table shard_dim_alltoall_decomp silu statically_known_true suggest_memory_format
        sym_constrain_range_for_size sym_eq type_to_dtype uniform use_scatter_fallback utils view_copy_default view_copy_dtype
        wrapped_quantized_linear
    """,
    "torch._inductor.pattern_matcher": """
        Arg CallFunction CallFunctionVarArgs CallMethod CallMethodVarArgs CallModule CallModuleVarArgs ExclusiveKeywordArg
        FailedMatch FakeTensor FakeTensorMode GetAttr GraphPatternEntry GraphTransformObserver Ignored KeywordArg ListOf
        LoweringPatternEntry MULTIPLE Match MatchContext MultiOutputPattern Multiple OrderedSet PatternEntry PatternExpr
        PatternMatcherPass PatternPrettyPrinter RepeatedExpr ReplaceFn ReplacementPatternEntry SearchFn TraceFn Transformer
        _GraphMutationTracker _MutationRegionRefresh _PassDictsType _PrecompiledPattern _TargetArgsExpr _TargetExpr
        _TargetExprVarArgs _TraceArgInfo _args _common_custom_context _constant_values_equal _contains_mutation_op
        _count_mutation_ops_until _debug_nodes_cache _debug_nodes_env_value_cache _get_attr _get_fake_tensor_constant
        _get_match_node_value _known_precompiled_patterns _merge_custom_context _mutation_region_refresh _not_implemented
        _python_constant_repr _refresh_mutation_region_ids _replacement_changes_mutation_regions _return_true _seen_patterns
        _serialize_pattern _serialized_patterns _should_debug_node _tensor_constant_repr _tensor_values_equal _trace_arg_info
        _trace_args_for_initial_trace _track_graph_mutation_ops _transfer_meta _unflatten_match_kwargs _unique_argname
        _wrap_bound_method aot_function aten backend check_and_add_duplicate_pattern clone_graph compute_mutation_region_ids
        config config_flag counters default_partition enable_python_dispatcher extract_target
        fallback_node_due_to_unsupported_type filter_nodes fixme_incorrect_inductor_schema_op functorch_config fwd_only
        fx_to_pattern gen_pattern gen_pattern_and_search_gm gen_register_replacement get_arg_value get_mutation_region_id
        guard_or_false immutable_dict immutable_list init_once_fakemode is_fake_tensor is_integer_dtype is_match is_mutation_op
        is_start_of_fx_graph joint_fwd_bwd log_trace_failure make_boxed_func make_fx maybe_get_fake_constant preserve_node_meta
        prims pytree register_graph_pattern register_lowering_pattern register_replacement same_mutation_regions
        select_decomp_table should_compute_mutation_region_ids stable_topological_sort statically_known_true
        unset_fake_temporarily
    """,
    "torch._ops": """
        DispatchKey DispatchKeySet HigherOrderOperator OpOverload OpOverloadPacket OperatorBase TorchBindOpOverload
        TorchDispatchMode TransformType add_cached_op cached_ops dispatch_functorch dl_open_guard get_cached_ops
        is_included_in_alias key_extractor mode_stack_state_for_pre_dispatch ops pytree reset_cached_ops resolve_key
        unset_mode_pre_dispatch
    """,
    "torch._subclasses": """
        CrossRefFakeMode DynamicOutputShapeException FakeTensor FakeTensorMode UnsupportedFakeTensorException fake_impls
        fake_tensor fake_utils functional_tensor meta_utils
    """,
    "torch.compiler": """
        CacheInfo F NestedCompileRegionOptions PrecompileError allow_in_graph assume_constant_result compile config
        cudagraph_mark_step_begin cudagraph_mark_warmup_incomplete disable get_default_backend is_compiling is_dynamo_compiling
        is_exporting keep_portable_guards_unsafe keep_tensor_guards_unsafe list_backends load_cache_artifacts
        load_compiled_function nested_compile_region nonstrict_trace precompile reset save_cache_artifacts set_default_backend
        set_enable_guard_collectives set_stance skip_all_guards_unsafe skip_guard_on_all_nn_modules_unsafe
        skip_guard_on_globals_unsafe skip_guard_on_inbuilt_nn_modules_unsafe substitute_in_graph wrap_numpy
    """,
    "torch.fx": """
        CodeGen Graph GraphModule Interpreter Node PH Proxy ProxyableClassMeta Tracer Transformer config experimental graph
        graph_module has_side_effect immutable_collections interpreter map_arg node operator_schemas passes proxy replace_pattern
        subgraph_rewriter symbolic_trace tensor_type traceback wrap
    """,
    "torch.fx.experimental": """
        const_fold dynamic_spec optimization proxy_tensor recording sym_node symbolic_shapes unification
    """,
    "torch.fx.experimental.symbolic_shapes": """
        AggressiveGuardFreeMode BoolLike CURRENT_NODE_KEY CallMethodKey CapturedTraceback CeilToInt CleanDiv Constraint
        ConstraintViolationError ConvertIntKey CppPrinter CustomClassBase DimConstraints DimDynamic DivideByKey
        DynamicDimConstraintPrinter EqualityConstraint FakeScriptObject FakeTensorMeta FloatLike FloorDiv FloorToInt
        GuardOnDataDependentSymNode IndicatorTypes InnerTensorKey IntLike IntTrueDiv IsNonOverlappingAndDenseIndicator LazyString
        LoggingShapeGuardPrinter Max Min Mod OrderedSet PendingUnbackedSymbolNotFound PropagateUnbackedSymInts PythonMod
        PythonPrinter RelaxedUnspecConstraint RuntimeAssert SHAPEENV_EVENT_KEY SLoc SYMPY_INTERP ShapeEnv ShapeEnvEvent
        ShapeEnvSettings ShapeGuard ShapeGuardPrinter ShapeGuardPythonPrinter SingletonInt Source Specialization
        StatefulSymbolicContext StatelessSymbolicContext StrictMinMaxConstraint SubclassSymbolicContext SymBool SymExprPrinter
        SymFloat SymInt SymIntEqByExpr SymIntSymbolicContext SymNode SymPyValueRangeAnalysis SymT SymTypes SymbolicContext
        SympyBoolean TracingContext TrackedFake TruncToInt ValueRangeError ValueRanges ValueRangesSLoc _CppShapeGuardsHelper
        _FrameLocalResult _PythonMsgPrinter _ShapeEnvGuardError _ShapeGuardCppPrinter _ShapeGuardPrinter _ShapeGuardsHelper
        _SymbolInfo _SympyT _advise_is_bounded _advise_is_size _assert_symbol_context _blame_user_code
        _canonicalize_bool_expr_impl _constrain_range_for_size _drain_shape_spec_pending_assumptions _emit_pending_spec_assumption
        _eval_is_non_overlapping_and_dense _eval_is_non_overlapping_and_dense_flat _expandsums _fast_expand _finalize_spec_wiring
        _find_user_code_frame _free_non_source_unbacked_symbols _free_unbacked_symbols_with_path _get_placeholder_expr _guard_or
        _guarding_hint_or_throw_base _has_uninterpretable_sympy_function _ignore_fresh_unbacked_symbols_set
        _ignore_fresh_unbacked_symbols_tls _ignore_fresh_unbacked_symbols_tls_context _is_dim_dynamic _is_int
        _is_supported_equivalence _iterate_exprs _iterate_nodes _lru_cache _maybe_evaluate_static_worker _nested_int_aware_sort
        _optimization_hint_base _reduce_to_lowest_terms _remove_effect_token_unbacked_bindings _static_eval_sym_bool
        _suggest_fixes_for_data_dependent_error_non_strict _suggest_torch_checks _suppress_guards _sym_node_hint_disproves
        _symbolic_context_from_shapes_spec _sympy_cast_symbool_to_symint_guardless _sympy_from_args _wire_spec_assumptions
        _wire_spec_slot _wire_tensor_spec_dims aten bind_symbols bound_sympy canonicalize_bool_expr
        cast_symbool_to_symint_guardless check_consistent compute_unbacked_bindings config constrain_range constrain_unify
        create_contiguous dtrace_structured error eval_guards eval_is_non_overlapping_and_dense expect_true
        find_symbol_binding_fx_nodes format_frame free_symbols free_unbacked_symbols fx_placeholder_targets fx_placeholder_vals
        fx_traceback get_unwrapped guard_bool guard_float guard_int guard_or_false guard_or_true guard_scalar guard_size_oblivious
        guarding_hint_or_throw has_free_symbols has_free_unbacked_symbols has_guarding_hint has_static_value
        has_symbolic_sizes_strides int_oo is_accessor_node is_batchedtensor is_concrete_bool is_concrete_float is_concrete_int
        is_custom_class_obj is_gradtrackingtensor is_nested_int is_sparse_any is_symbol_binding_fx_node is_symbolic
        is_traceable_wrapper_subclass log_lru_cache_stats lru_cache make_symbol optimization_hint prefix_str py_sym_types pytree
        rebind_unbacked record_shapeenv_event replay_shape_env_events resolve_unbacked_bindings safe_expand
        shape_env_check_state_equal signpost_event statically_known_false statically_known_true structured sym_and sym_eq sym_or
        symbol_is_type trace_structured try_solve uninteresting_files
    """,
    "torch.fx.graph": """
        CodeGen Graph Node PythonCode TensorType compatibility dtype_abbrs fx_pytree get_opaque_obj_repr immutable_dict
        inplace_methods is_opaque_constant_type magic_methods map_arg py_sym_types pytree reflectable_magic_methods
    """,
    "torch.fx.immutable_collections": """
        compatibility immutable_dict immutable_list register_pytree_node
    """,
    "torch.fx.node": """
        ArgsKwargsPair ArgumentT Node base_types compatibility dtype_abbrs has_side_effect map_aggregate map_arg
        normalize_function normalize_module
    """,
    "torch.library": """
        CustomOpDef EffectType Library OpOverload _ _OPCHECK_DEFAULT_UTILS _P _cast _check_pystubs_once _clear_torch_ops_cache
        _defs _del_library _device_type_to_key _dtype _impl _impls _keep_alive _library _library_for_registration _maybe_get_opdef
        _register_effectful_op _reserved_namespaces _resolve_op_for_registration _scoped_library _validate_inplace_schema
        _validate_out_schema custom_op define fallthrough_kernel get_ctx get_kernel impl impl_abstract infer_schema opcheck
        register_autocast register_autograd register_fake register_kernel register_torch_dispatch register_vmap triton_op
        wrap_triton
    """,
    "torch.nn": """
        AdaptiveAvgPool1d AdaptiveAvgPool2d AdaptiveAvgPool3d AdaptiveLogSoftmaxWithLoss AdaptiveMaxPool1d AdaptiveMaxPool2d
        AdaptiveMaxPool3d AlphaDropout AvgPool1d AvgPool2d AvgPool3d BCELoss BCEWithLogitsLoss BatchNorm1d BatchNorm2d BatchNorm3d
        Bilinear Buffer CELU CTCLoss ChannelShuffle CircularPad1d CircularPad2d CircularPad3d ConstantPad1d ConstantPad2d
        ConstantPad3d Container Conv1d Conv2d Conv3d ConvTranspose1d ConvTranspose2d ConvTranspose3d CosineEmbeddingLoss
        CosineSimilarity CrossEntropyLoss CrossMapLRN2d DataParallel Dropout Dropout1d Dropout2d Dropout3d ELU Embedding
        EmbeddingBag FeatureAlphaDropout Flatten Fold FractionalMaxPool2d FractionalMaxPool3d GELU GLU GRU GRUCell GaussianNLLLoss
        GroupNorm Hardshrink Hardsigmoid Hardswish Hardtanh HingeEmbeddingLoss HuberLoss Identity InstanceNorm1d InstanceNorm2d
        InstanceNorm3d KLDivLoss L1Loss LPPool1d LPPool2d LPPool3d LSTM LSTMCell LayerNorm LazyBatchNorm1d LazyBatchNorm2d
        LazyBatchNorm3d LazyConv1d LazyConv2d LazyConv3d LazyConvTranspose1d LazyConvTranspose2d LazyConvTranspose3d
        LazyInstanceNorm1d LazyInstanceNorm2d LazyInstanceNorm3d LazyLinear LeakyReLU Linear LinearCrossEntropyLoss
        LinearCrossEntropyOptions LocalResponseNorm LogSigmoid LogSoftmax MSELoss MarginRankingLoss MaxPool1d MaxPool2d MaxPool3d
        MaxUnpool1d MaxUnpool2d MaxUnpool3d Mish Module ModuleDict ModuleList MultiLabelMarginLoss MultiLabelSoftMarginLoss
        MultiMarginLoss MultiheadAttention NLLLoss NLLLoss2d PReLU PairwiseDistance Parameter ParameterDict ParameterList
        PixelShuffle PixelUnshuffle PoissonNLLLoss RMSNorm RNN RNNBase RNNCell RNNCellBase RReLU ReLU ReLU6 ReflectionPad1d
        ReflectionPad2d ReflectionPad3d ReplicationPad1d ReplicationPad2d ReplicationPad3d SELU Sequential SiLU Sigmoid
        SmoothL1Loss SoftMarginLoss Softmax Softmax2d Softmin Softplus Softshrink Softsign SyncBatchNorm Tanh Tanhshrink Threshold
        Transformer TransformerDecoder TransformerDecoderLayer TransformerEncoder TransformerEncoderLayer TripletMarginLoss
        TripletMarginWithDistanceLoss Unflatten Unfold UninitializedBuffer UninitializedParameter Upsample UpsamplingBilinear2d
        UpsamplingNearest2d ZeroPad1d ZeroPad2d ZeroPad3d attention common_types factory_kwargs functional grad init intrinsic
        modules parallel parameter qat quantizable quantized utils
    """,
    "torch.types": """
        DispatchKey Size Storage SymBool SymFloat SymInt Tensor py_sym_types
    """,
    "torch.utils": """
        ThroughputBenchmark backcompat backend_registration checkpoint cmake_prefix_path collect_env cpp_backtrace data
        deterministic dlpack flop_counter generate_methods_for_privateuse1_backend get_cpp_backtrace hooks mkldnn module_tracker
        rename_privateuse1_backend set_module swap_tensors throughput_benchmark weak
    """,
    "torch.utils._pytree": """
        BUILTIN_TYPES CONSTANT_NODES ConstantNode DEFAULT_TREESPEC_SERIALIZATION_PROTOCOL EnumEncoder GetAttrKey K KeyEntry
        LeafSpec MappingKey NO_SERIALIZED_TYPE_NAME_FOUND NodeDef PyTreeSpec Py_TPFLAGS_BASETYPE R S
        SERIALIZED_TYPE_TO_PYTHON_TYPE STANDARD_DICT_TYPES SUPPORTED_NODES SUPPORTED_SERIALIZED_TYPES SequenceKey TreeSpec U
        _LEAF_SPEC _ProtocolFn _SUPPORTED_PROTOCOLS _SerializeNodeDef _T_co _TorchVersion _TreeSpecSchema _asterisk
        _broadcast_to_and_flatten _cxx_pytree_dynamo_traceable _cxx_pytree_exists _cxx_pytree_imported _cxx_pytree_pending_imports
        _defaultdict_deserialize _defaultdict_flatten _defaultdict_flatten_with_keys _defaultdict_serialize _defaultdict_unflatten
        _deque_flatten _deque_flatten_with_keys _deque_unflatten _deregister_pytree_node _dict_flatten _dict_flatten_with_keys
        _dict_unflatten _ensure_python_treespec_instance _generate_key_paths _get_node_type _is_constant_holder _is_leaf
        _is_namedtuple_instance _is_pytreespec_instance _json_to_treespec _list_flatten _list_flatten_with_keys _list_unflatten
        _namedtuple_deserialize _namedtuple_flatten _namedtuple_flatten_with_keys _namedtuple_serialize _namedtuple_unflatten
        _odict_flatten _odict_unflatten _optree_minimum_version _optree_version _ordereddict_flatten
        _ordereddict_flatten_with_keys _ordereddict_unflatten _private_register_pytree_node _register_namedtuple
        _register_pytree_node _retrieve_constant _treespec_to_json _tuple_flatten _tuple_flatten_with_keys _tuple_unflatten
        arg_tree_leaves enum_object_hook is_constant_class is_namedtuple is_namedtuple_class is_namedtuple_instance is_structseq
        is_structseq_class is_structseq_instance key_get keystr map_only pytree_to_str register_constant register_dataclass
        register_pytree_node str_to_pytree structseq tree_all tree_all_only tree_any tree_any_only tree_flatten
        tree_flatten_with_path tree_is_leaf tree_iter tree_leaves tree_leaves_with_path tree_map tree_map_ tree_map_only
        tree_map_only_ tree_map_with_path tree_structure tree_unflatten treespec_dict treespec_dumps treespec_leaf treespec_loads
        treespec_pprint treespec_tuple
    """,
    "torch.utils._ordered_set": """
        OrderedSet T_co
    """,
}

NAMES.update(FX)
NAMES.update(PASSES)
