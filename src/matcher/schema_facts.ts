/** Schema facts that the matcher reads. */
import type { TorchRules } from '../base/torch_version'
import type { SchemaFacts } from '../trace/types'

export type { GuessedSchema, SchemaArgFacts, SchemaFacts } from '../trace/types'

/** Facts of `aten.add.Tensor`; null for an undeclared operator. */
export type SchemaLookup = (target: string) => SchemaFacts | null

/** What the matcher knows of the PyTorch that it answers for. */
export interface TorchFacts {
  schemaOf: SchemaLookup
  rules: TorchRules
}
