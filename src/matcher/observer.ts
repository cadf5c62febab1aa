/** What a pass tells while it is applied. */
import type { Attempt } from './types'

export interface ApplyObserver {
  /**
   * Each attempt, in order. `dropped` may be set on the object later, when what follows rejects an ok attempt: keep
   * the object, not a copy.
   */
  attempt?(attempt: Attempt): void
  applied?(match: AppliedMatch): void
}

/** A match that was replaced, by names: nodes of the graph as it was when the match was found. */
export interface AppliedMatch {
  entry: number
  /** Anchor node. */
  node: string
  nodes: string[]
  outputs: (string | null)[]
  /** As Python prints them: node names bare, constants as repr. */
  args: string[]
  kwargs: Record<string, string>
  /** Index of the pattern node in the entry's search graph → graph node. */
  map: [number, string][]
  /** Nodes the replacement put in. */
  added: string[]
  /** For each output, the node that took its place. */
  replacedBy: (string | null)[]
}
