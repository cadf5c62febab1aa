import type { SchemaLookup } from '../../matcher'
import type { Tracer } from '../../trace/types'

/** The context of a pass over a whole graph. */
export interface PostGradContext {
  tracer: Tracer
  schemaOf: SchemaLookup
}

/** The graph lacks metadata, or contains something that the pass does not support; the message is one sentence. */
export class PassRefusal extends Error {}

/** The result of such a pass. */
export interface PostGradResult {
  /** Number of nodes that it replaced, removed or decided on. */
  count: number
  /** Its decisions, one sentence each. */
  notes: string[]
}
