/**
 * Decides which nodes have side effects, like Node.is_impure and torch._library.utils.is_impure in PyTorch 2.14.1.
 * Mutation is part of an operator's schema; without one, PyTorch's naming conventions decide (`add_`, `mul.out`).
 */
import { isHigherOrder, isOverload, isPacket, looksMutable, type Node, operatorBehind, operatorOf } from '../fx'
import { NEWEST_RULES, type TorchRules } from '../base/torch_version'
import { catalogSchema } from './schema/catalog'
import { hasTag } from './schema/tags'

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

/** Python functions that are impure regardless of impureRandom. */
const RANDOM_FUNCTIONS = words(`
  torch.rand torch.randn torch.randint torch.randperm torch.rand_like torch.randn_like torch.randint_like torch.normal
  torch.poisson torch.bernoulli torch.multinomial`)

/** The relevant part of an operator's schema; null if it is unknown. */
type SchemaOf = (target: string) => { readonly mutable: boolean } | null

/** Node.is_impure. call_module counts as pure, because a graph's text does not show the module's class. */
export function isImpure(
  node: Node,
  schemaOf: SchemaOf = catalogSchema,
  { effectsStay }: TorchRules = NEWEST_RULES,
): boolean {
  if (node.op === 'placeholder' || node.op === 'output') return true
  if (node.op !== 'call_function') return false
  if (!effectsStay) return isImpureBefore(node, schemaOf)
  const target = operatorBehind(node.target)
  if (isHigherOrder(target)) return SIDE_EFFECTS.has(operatorOf(node))
  if (SIDE_EFFECTS.has(target) || RANDOM_FUNCTIONS.has(target)) return true
  if (!isPacket(target)) return isImpureFunction(target, schemaOf)
  // Decided by the default overload; pure if there is none.
  const overload = `${target}.default`
  const known = schemaOf(overload) !== null || !/^(aten|prims)\./.test(target)
  return SIDE_EFFECTS.has(overload) || (known && isImpureFunction(overload, schemaOf))
}

/** Node.is_impure before PyTorch 2.13. */
const isImpureBefore = ({ target }: Node, schemaOf: SchemaOf): boolean =>
  SIDE_EFFECTS_BEFORE.has(target) || (isOverload(target) && (schemaOf(target)?.mutable ?? looksMutable(target)))

const SIDE_EFFECTS_BEFORE = words(`
  torch._assert torch._assert_async torch._C._set_grad_enabled
  torch.amp.autocast_mode._enter_autocast torch.amp.autocast_mode._exit_autocast
  aten._assert_async.msg aten._assert_scalar.default aten._assert_tensor_metadata.default
  aten.sym_constrain_range.default aten.sym_constrain_range_for_size.default
  profiler._record_function_enter profiler._record_function_enter_new profiler._record_function_exit
  inductor.accumulate_grad_.default inductor.resize_storage_bytes_.default`)

const isImpureFunction = (target: string, schemaOf: SchemaOf): boolean =>
  isOverload(target) &&
  ((schemaOf(target)?.mutable ?? looksMutable(target)) || hasTag(target, 'nondeterministic_seeded'))
