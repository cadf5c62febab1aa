/** What the matcher asks of an operator's schema. */
import type { SchemaFacts } from '../trace/types'

export type { SchemaArgFacts, SchemaFacts } from '../trace/types'

/** Facts of `aten.add.Tensor`; null for an operator nobody declared. */
export type SchemaLookup = (target: string) => SchemaFacts | null
