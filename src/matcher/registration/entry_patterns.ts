/** The patterns of one entry: what stage one compares, and what stage two compares. */
import type { Graph } from '../../fx'
import { GraphEntry, type Entry, type ReplacementEntry } from '../entry'
import type { PatternExpr } from '../expr/pattern_expr'
import { fxToPattern } from '../fx_to_pattern'
import { initialTraceArgs } from './example_inputs'
import type { Registration } from '../types'

/** A pattern of stage two, traced with the metadata of a match. */
export interface SpecificPattern {
  pattern: PatternExpr
  /** Index of a node of its trace → index in the entry's search graph; null without a search graph. */
  toInitial: readonly (number | null)[] | null
}

export interface EntryPatterns {
  /** `traced`: from a search function; `given`: a search_fn_pattern; `graph`: of register_graph_pattern. */
  kind: 'traced' | 'given' | 'graph'
  initial: PatternExpr
  /** The trace of the registration with every constant exact, as in stage two; null unless traced. */
  exact: PatternExpr | null
  /** Those of the re-traces so far. */
  specific: readonly SpecificPattern[]
  /** The trace of the registration; null unless traced. */
  searchGraph: Graph | null
}

export function entryPatterns(entry: Entry): EntryPatterns {
  const { pattern: initial, searchGraph } = entry
  if (entry instanceof GraphEntry) return { kind: 'graph', initial, exact: null, specific: [], searchGraph }
  const specific = [...entry.traces.specific.values()].flatMap((s) =>
    'rejected' in s ? [] : [{ pattern: s.pattern, toInitial: s.toInitial }],
  )
  // A capture gives the pattern and the re-traces of a traced entry.
  const kind = specific.some((s) => s.pattern !== initial) ? 'traced' : 'given'
  if (!searchGraph) return { kind, initial, exact: null, specific, searchGraph }
  return { kind: 'traced', initial, exact: exactPattern(entry, searchGraph), specific, searchGraph }
}

function exactPattern({ registration, argInfo, rules }: ReplacementEntry, searchGraph: Graph): PatternExpr {
  const { scalarWorkaround, exclusiveArgNames } = registration as Registration
  return fxToPattern(searchGraph, {
    argNames: argInfo.flatNames,
    scalarWorkaround,
    exclusiveArgNames,
    rules,
    nestedInputs: initialTraceArgs(registration).some((v) => v.kind === 'vals'),
  })
}
