/** A pass in a report, as plain data: its entries, matches, near misses and causes. */
import type { SourceRef } from '../../fx'
import type { Cause } from '../../explain/causes'
import type { Lint } from '../../explain/lints/types'
import type { NearMissFold } from '../../explain/near_misses'
import type { Attempt } from '../../matcher/types'
import type { Violation } from '../invariants/types'
import type { GraphView } from './graph_view'

export interface EntryReport {
  index: number
  /** The same for the same registration in another run, whatever is registered beside it. Absent in old reports. */
  key?: string
  /** Class or function that registered it: `SiluMulBlockQuantPattern`. Of functions of one name, with what tells them apart. */
  title: string
  /** Where register_replacement was called in user code. */
  source: SourceRef | null
  /** Its place in the order of the registrations; `index` is its place in the pass, by operator. Absent in old reports. */
  order?: number
  /** What the registration was made with: closure values, attributes and loop variables, as the user wrote them. */
  bindings: Record<string, string>
  /** Those that tell it from the others of its title, the outermost loop's first. Absent in old reports. */
  axes?: string[]
  /** PatternPrettyPrinter.run of the initial pattern. */
  text: string
  keys: string[]
  /** The search function as traced: placeholders, calls, output. Each node's `source` is the user's line. */
  pattern: GraphView
  /** The replacement traced over the example inputs, or why it could not be. */
  replacement: GraphView | null
  replacementError: string | null
  fired: number
}

export interface MatchReport {
  index: number
  entry: number
  /** Anchor node. */
  node: string
  nodes: string[]
  outputs: string[]
  /** Pattern argument → graph node name, or the constant's text. */
  inputs: Record<string, string>
  /** Pattern node index (EntryReport.pattern.nodes) → graph node name. */
  map: [number, string][]
  /** Names of nodes the replacement put in (in graphAfter). */
  added: string[]
}

/** Equal attempts that got somewhere and failed, folded: "32 attempts, same cause". */
export interface NearMiss extends NearMissFold {
  index: number
}

export interface PassReport {
  name: string
  count: number
  applyError: string | null
  entries: EntryReport[]
  attempts: Attempt[]
  /** How many attempts a stored report was written without; absent: `attempts` holds them all. */
  attemptsLeftOut?: number
  matches: MatchReport[]
  nearMisses: NearMiss[]
  /** Why the pass, or an entry of it, did nothing, where that is not about one place in the graph. */
  causes?: Cause[]
  /** Entries that are the same pattern as an earlier one once its constants and shapes are in; absent when none. */
  duplicates?: Duplicate[]
  /** What is doubtful about the patterns that fired. */
  lints?: Lint[]
  /** Invariants that the pass broke; absent when none. */
  violations?: Violation[]
  /**
   * False while near misses, causes and lints are still being worked out: they come in an `explained` event. Absent
   * means done.
   */
  explained?: boolean
  /** PyTorch's `pass_name`, when given. */
  passName: string | null
  applyMs: number
  /** Time spent on near misses and causes. */
  explainMs?: number
  /** What explaining had no time or room for, in one sentence. */
  leftOut?: string
}

/** Two registrations of one pattern: where both would fire, the first is tried first. */
export interface Duplicate {
  entry: number
  first: { pass: string; entry: number }
}
