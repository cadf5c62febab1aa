/** The input and the result of explaining a pass. */
import type { Arg, Graph } from '../fx'
import type { AppliedMatch } from '../matcher/observer'
import type { EntryView, SpecificTrace } from '../matcher/registry'
import type { SchemaLookup } from '../matcher/schema_facts'
import type { Attempt } from '../matcher/types'
import type { Cause } from './causes'
import type { NearMissFold } from './near_misses'

export interface PassToExplain {
  name: string
  /** The graph as the pass found it. */
  graph: Graph
  entries: readonly EntryView[]
  attempts: readonly Attempt[]
  matches: readonly AppliedMatch[]
  applyError: string | null
  /** The argument that ended the pass, as no match captures it. */
  unusedArgument?: string
  schemaOf: SchemaLookup
  /** The search function traced with what its arguments are in the graph. */
  specific(entry: number, captured: ReadonlyMap<string, Arg>): SpecificTrace | null
}

export interface PassExplanation {
  nearMisses: NearMissFold[]
  /** What is not about one anchor. */
  causes: Cause[]
  /** What there was no time for, in one sentence; absent where everything was looked at. */
  leftOut?: string
}
