/** Events of a pass while it is applied. */
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
   * Each attempt, in order. `dropped` may be set on the object later, when a later check rejects a successful attempt:
   * keep the object, not a copy.
   */
  attempt?(attempt: Attempt): void
  applied?(match: AppliedMatch): void
  /** Records single steps, usually of one node: src/matcher/steps. */
  steps?: StepHooks
}

/** Hooks for watching a pass step by step. Without a watcher each costs one comparison. */
export interface StepHooks {
  /** The pass reaches a node. Returns true to end the pass here. */
  candidate(node: Node, entries: readonly Entry[], unsupported: boolean): boolean
  entry(entry: Entry, node: Node): void
  /** An attempt begins. Returns the context to use, or null for a plain one. */
  attempt(entry: Entry, phase: Phase, node: Node, toInitial: readonly (number | null)[] | null): ContextMaker | null
  verdict(result: MatchResult): void
  regions(nodes: readonly Node[], regions: MutationRegions, ok: boolean): void
  streams(nodes: readonly Node[], ok: boolean): void
  /** @param args of the re-trace of the search function */
  retrace(entry: ReplacementEntry, args: MatchArgs | Rejected): void
  retraced(entry: ReplacementEntry, specific: Specific | Rejected): void
  extraCheck(ok: boolean): void
  replacing(entry: Entry, match: Match): void
  /**
   * @param added names of the inserted nodes
   * @param replacedBy for each output, its replacing node
   */
  replaced(match: Match, added: readonly string[], replacedBy: readonly (string | null)[]): void
  /** An exception ended the pass. */
  raised(error: { pythonType: string; message: string }): void
}

/** A replaced match, by names of nodes in the graph in which it was found. */
export interface AppliedMatch {
  entry: number
  /** Anchor node. */
  node: string
  nodes: string[]
  outputs: (string | null)[]
  /** Printed as in Python: node names bare, constants as repr. */
  args: string[]
  kwargs: Record<string, string>
  /** Index of the pattern node in the entry's search graph → graph node. */
  map: [number, string][]
  /** Nodes that the replacement inserted. */
  added: string[]
  /** For each output, its replacing node; null in a match that a handler edited. */
  replacedBy: (string | null)[]
  /** Nodes that a handler created, in `added` or by its own edits; absent for a replacement. */
  made?: string[]
}
