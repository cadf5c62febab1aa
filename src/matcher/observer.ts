/** What a pass tells while it is applied. */
import type { Node } from '../fx'
import type { MatchArgs } from './stage_two/check'
import type { Rejected, Specific } from './stage_two/trace_cache'
import type { Entry, ReplacementEntry } from './entry'
import type { ContextMaker } from './expr/pattern_expr'
import type { Match, MatchResult } from './match'
import type { MutationRegions } from './mutation_regions'
import type { Attempt, Phase } from './types'

export interface ApplyObserver {
  /**
   * Each attempt, in order. `dropped` may be set on the object later, when what follows rejects an ok attempt: keep
   * the object, not a copy.
   */
  attempt?(attempt: Attempt): void
  applied?(match: AppliedMatch): void
  /** Records single steps, of one node as a rule: src/matcher/steps. */
  steps?: StepHooks
}

/** Where a pass can be watched step by step. Without a watcher each of these costs one comparison. */
export interface StepHooks {
  /** The pass turns to a node. True: nothing more is wanted, end the pass here. */
  candidate(node: Node, entries: readonly Entry[], unsupported: boolean): boolean
  entry(entry: Entry, node: Node): void
  /** An attempt begins; the context it is to use, or null for a plain one. */
  attempt(entry: Entry, phase: Phase, node: Node, toInitial: readonly (number | null)[] | null): ContextMaker | null
  verdict(result: MatchResult): void
  regions(nodes: readonly Node[], regions: MutationRegions, ok: boolean): void
  streams(nodes: readonly Node[], ok: boolean): void
  /** @param args what the search function is to be traced again with */
  retrace(entry: ReplacementEntry, args: MatchArgs | Rejected): void
  retraced(entry: ReplacementEntry, specific: Specific | Rejected): void
  extraCheck(ok: boolean): void
  replacing(entry: Entry, match: Match): void
  /** @param added names of the nodes put in  @param replacedBy for each output, the node that took its place */
  replaced(match: Match, added: readonly string[], replacedBy: readonly (string | null)[]): void
  /** An exception ended the pass. */
  raised(error: { pythonType: string; message: string }): void
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
