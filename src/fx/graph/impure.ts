/**
 * Decides which nodes have side effects, like Node.is_impure and torch._library.utils.is_impure in PyTorch 2.14.1.
 * Mutation is part of an operator's schema; without one, PyTorch's naming conventions decide (`add_`, `mul.out`).
 */
import type { Node } from './node'
import { isHigherOrder, isOverload, isPacket } from '../target'

const words = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/))

/** torch.fx.node._side_effectful_functions, including torch's own additions, and the effectful operators. */
const SIDE_EFFECTS = words(`
  operator.setitem torch._assert torch._assert_async torch._C._set_grad_enabled
  torch.amp.autocast_mode._enter_autocast torch.amp.autocast_mode._exit_autocast
  torch._functorch.predispatch._enter_dual_level torch._functorch.predispatch._exit_dual_level
  torch._functorch.predispatch._jvp_decrement_nesting torch._functorch.predispatch._jvp_increment_nesting
  aten._assert_async.msg aten._assert_scalar.default aten._assert_tensor_metadata.default
  aten.sym_constrain_range.default aten.sym_constrain_range_for_size.default
  aten._print.default aten._linalg_check_errors.default
  _c10d_functional.batch_p2p_ops _c10d_functional.batch_p2p_ops.default _c10d_functional.irecv
  _c10d_functional.irecv.default _c10d_functional.isend _c10d_functional.isend.default
  _c10d_functional.wait_tensor _c10d_functional.wait_tensor.default ao.wait_tensor.default
  fsdp.copy_.default inductor.accumulate_grad_.default inductor.resize_storage_bytes_.default
  mempool.begin.default mempool.end.default prims._sink_tokens.default
  profiler._record_function_enter profiler._record_function_enter.default profiler._record_function_enter_new
  profiler._record_function_enter_new.default profiler._record_function_exit
  profiler._record_function_exit._RecordFunction
  streams.fork.default streams.join.default streams.record_event.default streams.record_stream.default
  streams.sync_dealloc.default streams.synchronize_device.default streams.synchronize_event.default
  streams.synchronize_stream.default streams.wait_event.default streams.wait_stream.default
  higher_order.call_torchbind higher_order.control_deps higher_order.print higher_order.invoke_leaf_function`)

/** Operators tagged nondeterministic_seeded, which advance the random state. Applies to all of their overloads. */
const RANDOM = words(`
  aten._cudnn_attention_backward aten._cudnn_attention_forward aten._cudnn_init_dropout_state aten._cudnn_rnn
  aten._efficient_attention_forward aten._flash_attention_forward aten._fused_dropout aten._fused_sdp_choice
  aten._lstm_mps aten._nested_tensor_softmax_with_shape aten._sample_dirichlet aten._scaled_dot_product_attention_math
  aten._scaled_dot_product_attention_math_for_mps aten._scaled_dot_product_cudnn_attention
  aten._scaled_dot_product_cudnn_attention_backward aten._scaled_dot_product_efficient_attention
  aten._scaled_dot_product_efficient_attention_backward aten._scaled_dot_product_flash_attention
  aten._scaled_dot_product_flash_attention_for_cpu aten._scaled_dot_product_fused_attention_overrideable
  aten._standard_gamma aten._triton_scaled_dot_attention aten.alpha_dropout aten.bernoulli aten.binomial aten.cauchy
  aten.dropout aten.exponential aten.feature_alpha_dropout aten.feature_dropout aten.geometric aten.gru aten.log_normal
  aten.lstm aten.miopen_rnn aten.multinomial aten.native_dropout aten.normal aten.normal_functional aten.poisson
  aten.rand aten.rand_like aten.randint aten.randint_like aten.randn aten.randn_like aten.random aten.randperm
  aten.rnn_relu aten.rnn_tanh aten.rrelu aten.rrelu_with_noise aten.rrelu_with_noise_functional
  aten.scaled_dot_product_attention aten.uniform prims.normal prims.uniform`)

/** Python functions that are impure regardless of impureRandom. */
const RANDOM_FUNCTIONS = words(`
  torch.rand torch.randn torch.randint torch.randperm torch.rand_like torch.randn_like torch.randint_like torch.normal
  torch.poisson torch.bernoulli torch.multinomial`)

/** Mutable schemas without the naming convention: output arguments not named `out`, and a few exceptions. */
const MUTABLE_OVERLOADS = words(`
  grad_input out_mode out_tol_tensor out_rcond_tensor dim_max dim_min dim_values values_stable eigvals inverse out_
  OutScalar_Other OutScalar_Self OutTensor`)
const MUTABLE = words(`
  aten.kthvalue.values aten.mode.values aten.sort.values aten.topk.values aten.linalg_cholesky_ex.L aten.linalg_svd.U
  aten.svd.U aten.triangular_solve.X aten.geqrf.a aten.log_sigmoid_forward.output aten.nll_loss_forward.output
  aten.nll_loss2d_forward.output aten.slow_conv3d_forward.output aten.multilabel_margin_loss_forward.output
  aten.fractional_max_pool2d.output aten.fractional_max_pool3d.output aten.fused_moving_avg_obs_fake_quant.default
  aten.rrelu_with_noise.default aten.record_stream.default aten.set_data.default inductor._mm_plus_mm.default
  prims.as_strided.default prims.copy_to.default prims.resize.default`)

/** Inferred from the name: in-place operators end in `_`, output variants are named `out`. */
export function looksMutable(target: string): boolean {
  if (!isOverload(target)) return false
  const [ns, op, overload] = target.split('.') as [string, string, string]
  if (op.endsWith('_') && !op.endsWith('__')) return true
  if (overload === 'out' || overload.endsWith('_out') || op.endsWith('_out')) return true
  return (ns === 'aten' && MUTABLE_OVERLOADS.has(overload)) || MUTABLE.has(target)
}

export interface PurityOptions {
  /** True if the operator's schema has an argument that it writes to; undefined if the schema is unknown. */
  isMutable?: (target: string) => boolean | undefined
  /** True if operators that advance the random state are impure. FX's default outside a compilation: true. */
  impureRandom?: boolean
}

/** Node.is_impure. call_module counts as pure, because a graph's text does not show the module's class. */
export function isImpure(node: Node, options: PurityOptions = {}): boolean {
  if (node.op === 'placeholder' || node.op === 'output') return true
  if (node.op !== 'call_function') return false
  const { target } = node
  if (isHigherOrder(target)) {
    if (target === 'higher_order.auto_functionalized' || target === 'higher_order.auto_functionalized_v2') {
      const [op] = node.args
      return typeof op === 'object' && op !== null && 'kind' in op && op.kind === 'op' && SIDE_EFFECTS.has(op.name)
    }
    return SIDE_EFFECTS.has(target)
  }
  if (SIDE_EFFECTS.has(target) || RANDOM_FUNCTIONS.has(target)) return true
  if (isPacket(target)) return isImpurePacket(target, options)
  return isImpureFunction(target, options)
}

/** For the target `aten.rand`: the result for its default overload; pure if it has none. */
function isImpurePacket(packet: string, options: PurityOptions): boolean {
  const overload = `${packet}.default`
  const known = options.isMutable?.(overload) !== undefined || !/^(aten|prims)\./.test(packet) || RANDOM.has(packet)
  return SIDE_EFFECTS.has(overload) || (known && isImpureFunction(overload, options))
}

function isImpureFunction(target: string, options: PurityOptions): boolean {
  if (options.isMutable?.(target) ?? looksMutable(target)) return true
  if (options.impureRandom === false || !isOverload(target)) return false
  return RANDOM.has(target.slice(0, target.lastIndexOf('.')))
}
