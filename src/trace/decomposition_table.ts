/** The decompositions of a trace whose get_decomp_fn returns another table than Inductor's. */
import type { Bound } from '../ops/bind'
import { dtype } from '../fx'
import type { DispatchArg, FakeTensor } from '../ops/fake'
import type { OpCall } from '../ops/op_call'
import type { OpDef } from '../ops/operator'
import { computationDtype } from '../ops/promote'
import { TorchError } from '../ops/torch_error'

export interface DecompositionTable {
  /** Operators that PyTorch can decompose and the table does not. */
  absent: ReadonlySet<string>
  /** Operators with torch._decomp's version where Inductor has its own. */
  registered: ReadonlySet<string>
  /** Functions of the user; undefined: the operator is not decomposed (NotImplemented). */
  custom: ReadonlyMap<string, (bound: Bound) => DispatchArg | undefined>
}

/** Versions of torch._decomp that differ from Inductor's. */
const REGISTERED: Readonly<Record<string, (c: OpCall) => DispatchArg>> = {
  'aten.silu.default': (c) => {
    const given = c.tensor('self')
    const to = (x: FakeTensor, name: string): FakeTensor =>
      x.meta.dtype === name ? x : c.op('prims.convert_element_type.default', x, dtype(name))
    const x = to(given, computationDtype(given.meta.dtype))
    return to(c.op('aten.mul.Tensor', x, c.op('aten.sigmoid.default', x)), given.meta.dtype)
  },
}
/** The same in both, but for cases that a trace on this device does not have. */
const EQUAL = new Set(['aten.native_layer_norm.default', 'aten.embedding_dense_backward.default', 'aten.lift.default'])

/**
 * The decomposition of a call; undefined if the call itself is recorded.
 * @throws TorchError NotImplementedError for a version that Fusescope lacks
 */
export function decomposedBy(
  table: DecompositionTable,
  bound: Bound,
  def: OpDef | undefined,
  c: OpCall,
): DispatchArg | undefined {
  const target = bound.schema.name
  const custom = table.custom.get(target)
  if (custom) return custom(bound)
  if (table.absent.has(target)) return undefined
  if (table.registered.has(target) && !EQUAL.has(target)) {
    const registered = REGISTERED[target]
    if (registered) return registered(c)
    throw new TorchError('NotImplementedError', `Fusescope has only Inductor's decomposition of ${target}`)
  }
  return def?.decomp?.(c)
}
