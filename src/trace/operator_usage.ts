/** The operators that a run uses, for exports: executed calls, packets that code looked up, and their declarations. */
import type { DispatchArg } from '../ops/fake'
import type { OpSchema } from '../ops/schema'
import { withoutOverload, type DeclaredOperators } from './declared_operators'

/** One call of an operator, bound to its schema. */
export interface ObservedCall {
  schema: OpSchema
  values: ReadonlyMap<string, DispatchArg>
  out: DispatchArg
}

export interface OperatorDeclaration {
  /** Null for an operator that nobody declared. */
  schema: OpSchema | null
  byUser: boolean
  /** True if Python has a fake implementation of it. */
  hasFake: boolean
}

export class OperatorUsage {
  /** Receives each operator that runs on fake tensors. */
  observer: ((call: ObservedCall) => void) | null = null
  /** Packets whose overloads or schemas were looked up since the tracer exists. */
  readonly lookedUp = new Set<string>()

  constructor(private readonly operators: DeclaredOperators) {}

  declarationOf(target: string): OperatorDeclaration {
    const packet = withoutOverload(target)
    return {
      schema: this.operators.schemaOf(target),
      byUser: this.operators.isUsers(packet),
      hasFake: this.operators.fakeOf(target) !== undefined,
    }
  }
}
