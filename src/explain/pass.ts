/** Input and result of explaining a pass. */
import type { Arg, Graph, Node, Val } from '../fx'
import type { AppliedMatch } from '../matcher/observer'
import type { EntryView, SpecificTrace } from '../matcher/registry'
import type { GuessedSchema, SchemaLookup } from '../matcher/schema_facts'
import type { Attempt } from '../matcher/types'
import type { Cause } from './causes'
import type { NearMissFold } from './near_misses'

export interface PassToExplain {
  name: string
  /** The graph before the pass. */
  graph: Graph
  entries: readonly EntryView[]
  attempts: readonly Attempt[]
  matches: readonly AppliedMatch[]
  applyError: string | null
  /** The argument that ended the pass because no match captures it. */
  unusedArgument?: string
  /** True if the exception that ended the pass came from the second trace. */
  retraceRaised?: true
  schemaOf: SchemaLookup
  /** The operators that tracing records instead of a node's call; null if it records the call itself. */
  decomposition?(node: Node): readonly string[] | null
  /** The operators that tracing records in place of a pattern's call with such inputs; null if it records the call itself. */
  decomposed?(call: Node, input: Val): Graph | null
  /** Guessed schemas of operators that nobody declared, by target. */
  guesses?(): ReadonlyMap<string, GuessedSchema>
  /** The search function traced with the graph values of its arguments. */
  specific(entry: number, captured: ReadonlyMap<string, Arg>): SpecificTrace | null
  /** The same for a pretraced pattern, which PyTorch does not trace for a match; null for other patterns. */
  untaken?(entry: number, captured: ReadonlyMap<string, Arg>): SpecificTrace | null
}

export interface PassExplanation {
  nearMisses: NearMissFold[]
  /** Causes that concern no single anchor. */
  causes: Cause[]
  /** Parts skipped for lack of time, in one sentence; absent if everything was examined. */
  leftOut?: string
}
