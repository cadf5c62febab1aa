/** A pass in a report, as plain data: its entries, matches, near misses and causes. */
import type { SourceRef } from '../../fx'
import type { Cause } from '../../explain/causes'
import type { Lint } from '../../explain/lints/types'
import type { NearMissFold } from '../../explain/near_misses'
import type { Attempt, StubDecision } from '../../matcher/types'
import type { PyTorchVerdict } from '../capture/report_types'
import type { Violation } from '../invariants/types'
import type { UnshapedPlace } from '../shapes/types'
import type { GraphView } from './graph_view'

export interface EntryReport {
  index: number
  /** Identifies the registration across runs, independent of other registrations. Absent in old reports. */
  key?: string
  /** Class or function that registered it: `SiluMulBlockQuantPattern`. Functions with the same name include their file or line. */
  title: string
  /** Where register_replacement was called in user code. */
  source: SourceRef | null
  /**
   * Position in registration order; `index` is the position in the pass, which groups by operator. Absent in old
   * reports.
   */
  order?: number
  /** Closure values, attributes and loop variables of the registration, as the user wrote them. */
  bindings: Record<string, string>
  /** Bindings that distinguish it from others of its title, the outermost loop's first. Absent in old reports. */
  axes?: string[]
  /** PatternPrettyPrinter.run of the initial pattern. */
  text: string
  keys: string[]
  /** The search function as traced: placeholders, calls, output. Each node's `source` is the user's line. */
  pattern: GraphView
  /** The replacement traced over the example inputs, or the reason why tracing failed. */
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
  /** Names of nodes the replacement added (in graphAfter). */
  added: string[]
}

/** Equal failed attempts that matched part of the pattern, folded: "32 attempts, same cause". */
export interface NearMiss extends NearMissFold {
  index: number
  /** At least one; the most explanatory first. */
  causes: Cause[]
}

export interface PassReport {
  name: string
  count: number
  applyError: string | null
  entries: EntryReport[]
  attempts: Attempt[]
  /** Number of attempts that a stored report omits; absent: `attempts` has them all. */
  attemptsLeftOut?: number
  /** On the page, which unpacks `attempts` on first use: a summary of all of them. */
  attemptFacts?: { count: number; stubs: StubDecision[] }
  matches: MatchReport[]
  nearMisses: NearMiss[]
  /** Causes for the pass or an entry as a whole, not for one anchor. */
  causes?: Cause[]
  /** Entries that equal an earlier pattern once constants and shapes are known; absent if none. */
  duplicates?: Duplicate[]
  /** Lints of the patterns that fired. */
  lints?: Lint[]
  /** For a workspace from a capture: PyTorch's verdict; absent for a pass that the capture lacks. */
  pytorch?: PyTorchVerdict
  /** Violated invariants; absent if none. */
  violations?: Violation[]
  /** Places where all nodes align but the graph lacks the deciding shapes; they are not matches. Absent if none. */
  unshaped?: UnshapedPlace[]
  /**
   * False while near misses, causes and lints are being computed: they arrive in an `explained` event. Absent: done.
   */
  explained?: boolean
  /** PyTorch's `pass_name`, if given. */
  passName: string | null
  applyMs: number
  /** Time spent on near misses and causes. */
  explainMs?: number
  /** What explaining skipped for lack of time, in one sentence. */
  leftOut?: string
}

/** Two registrations of equal patterns: if both match, the first is tried first. */
export interface Duplicate {
  entry: number
  first: { pass: string; entry: number }
}
