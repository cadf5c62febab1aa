/** Schema facts that the matcher reads. */
import type { SchemaFacts } from '../trace/types'

export type { GuessedSchema, SchemaArgFacts, SchemaFacts } from '../trace/types'

/** Facts of `aten.add.Tensor`; null for an undeclared operator. */
export type SchemaLookup = (target: string) => SchemaFacts | null
