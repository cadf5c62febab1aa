/** What the matcher asks of an operator's schema. Registered by whoever knows schemas (src/ops, torch.library). */
import type { Arg } from '../fx'

export interface SchemaFacts {
  /** `_schema.is_mutable`. */
  mutable: boolean
  args: readonly SchemaArgFacts[]
}

export interface SchemaArgFacts {
  name: string
  kwargOnly: boolean
  /** `Tensor(a!)`: the operator writes to it. */
  written?: boolean
  /** Undefined: the argument is required. */
  default?: Arg
}

/** Facts of `aten.add.Tensor`; null for an operator nobody declared. */
export type SchemaLookup = (target: string) => SchemaFacts | null
