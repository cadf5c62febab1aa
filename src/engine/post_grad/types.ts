import type { SchemaLookup } from '../../matcher'
import type { Tracer } from '../../trace/types'

/** What the passes over a whole graph need of the engine. */
export interface PostGradContext {
  tracer: Tracer
  schemaOf: SchemaLookup
}

/** The graph does not say enough, or holds what is not known here: one plain sentence. */
export class PassRefusal extends Error {}

/** What such a pass did. */
export interface PostGradResult {
  /** Nodes that it replaced or took out, or decided about. */
  count: number
  /** Each decision in one sentence, where there is something to tell. */
  notes: string[]
}
