/** Which nodes have effects beyond their value, so that they stay though nothing uses them (torch.fx.Node.is_impure). */
import { isOverload } from '../fx/target'
import type { Arg, Node, OpRef } from '../fx'
import type { SchemaLookup } from './schema_facts'

/** torch.fx.node._side_effectful_functions. */
const SIDE_EFFECTFUL = new Set(
  (
    'torch._assert torch._assert_async aten._assert_async.msg aten._assert_scalar.default ' +
    'aten._assert_tensor_metadata.default aten.sym_constrain_range.default ' +
    'aten.sym_constrain_range_for_size.default profiler._record_function_enter ' +
    'profiler._record_function_enter.default profiler._record_function_enter_new ' +
    'profiler._record_function_enter_new.default profiler._record_function_exit ' +
    'profiler._record_function_exit._RecordFunction inductor.accumulate_grad_.default ' +
    'inductor.resize_storage_bytes_.default prims._sink_tokens.default operator.setitem _operator.setitem ' +
    'higher_order.call_torchbind torch._C._set_grad_enabled torch.amp._enter_autocast torch.amp._exit_autocast ' +
    'torch.amp.autocast_mode._enter_autocast torch.amp.autocast_mode._exit_autocast'
  ).split(' '),
)

/** Operators tagged nondeterministic_seeded: they draw from the random generator. */
const SEEDED = new Set(
  (
    'alpha_dropout bernoulli binomial cauchy dropout exponential feature_alpha_dropout feature_dropout geometric gru ' +
    'log_normal lstm miopen_rnn multinomial native_dropout normal normal_functional poisson rand rand_like randint ' +
    'randint_like randn randn_like random randperm rnn_relu rnn_tanh rrelu rrelu_with_noise ' +
    'rrelu_with_noise_functional scaled_dot_product_attention uniform philox_rand _cudnn_attention_backward ' +
    '_cudnn_attention_forward _cudnn_init_dropout_state _cudnn_rnn _efficient_attention_forward ' +
    '_flash_attention_forward _fused_dropout _fused_sdp_choice _lstm_mps _sample_dirichlet ' +
    '_scaled_dot_product_attention_math _scaled_dot_product_attention_math_for_mps ' +
    '_scaled_dot_product_cudnn_attention _scaled_dot_product_cudnn_attention_backward ' +
    '_scaled_dot_product_efficient_attention _scaled_dot_product_efficient_attention_backward ' +
    '_scaled_dot_product_flash_attention _scaled_dot_product_flash_attention_for_cpu ' +
    '_scaled_dot_product_fused_attention_overrideable _standard_gamma _triton_scaled_dot_attention'
  ).split(' '),
)

export function isImpure(node: Node, schemaOf: SchemaLookup): boolean {
  if (node.op === 'placeholder' || node.op === 'output') return true
  if (node.op !== 'call_function') return false
  const { target } = node
  if (target.startsWith('higher_order.')) {
    const wrapped = target.startsWith('higher_order.auto_functionalized') ? opName(node.args[0]) : target
    return wrapped !== null && SIDE_EFFECTFUL.has(wrapped)
  }
  if (SIDE_EFFECTFUL.has(target)) return true
  if (!isOverload(target)) return false
  const [ns, name] = target.split('.') as [string, string]
  return (/^(aten|prims|rngprims)$/.test(ns) && SEEDED.has(name)) || (schemaOf(target)?.mutable ?? false)
}

const opName = (a: Arg | undefined): string | null =>
  a !== null && typeof a === 'object' && (a as OpRef).kind === 'op' ? (a as OpRef).name : null
