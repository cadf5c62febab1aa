/** The decompositions of a trace whose get_decomp_fn returns a different table than Inductor's. */
import type { Bound } from '../ops/bind'
import type { DispatchArg } from '../ops/fake'
import type { OpCall } from '../ops/op_call'
import type { OpDef } from '../ops/operator'
import { TorchError } from '../ops/torch_error'

export interface DecompositionTable {
  /** Operators that PyTorch can decompose but the table does not contain. */
  absent: ReadonlySet<string>
  /** Operators that use torch._decomp's version although Inductor has its own. */
  registered: ReadonlySet<string>
  /** Functions of the user; undefined: the operator is not decomposed (NotImplemented). */
  custom: ReadonlyMap<string, (bound: Bound) => DispatchArg | undefined>
}

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
  const registered = table.registered.has(target) ? def?.registered : 'decomp'
  if (registered) return c.by(registered === 'decomp' ? def?.decomp : registered)
  throw new TorchError('NotImplementedError', `Fusescope has only Inductor's decomposition of ${target}`)
}
