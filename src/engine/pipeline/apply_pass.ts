/** Applies one pattern pass to a graph and records the result. */
import type { PassToExplain } from '../../explain/explain'
import { clone, type Graph, type Node } from '../../fx'
import type { AppliedMatch, ApplyResult, Attempt } from '../../matcher'
import { decomposed, decompositionOf } from '../../trace/decomposition'
import { Watch } from '../invariants/changes'
import { findViolations } from '../invariants/check'
import type { Violation } from '../invariants/types'
import type { PipelineContext } from './context'

/** One application of a pass: the graph before and after, and its matches. */
export interface PassRun {
  /**
   * Identifies this application of the pass across runs of the workspace: its variable, or `variable#2` for its second
   * application.
   */
  key: string
  /** Null for the searches of SubgraphMatcher. */
  passId: number | null
  /** Not modified. */
  before: Graph
  /** The graph before dead code is removed. */
  after: Graph
  /** Maps each node of `before` to its copy, which is in `after` unless the pass erased it. */
  copies: ReadonlyMap<Node, Node>
  count: number
  matches: AppliedMatch[]
  /** The exception that ended the pass. */
  raised: ApplyResult['error']
  violations: Violation[]
  /** Name, entries and attempts of the pass. Valid while Python holds the registrations. */
  toExplain: PassToExplain
  applyMs: number
  /** Duration of the invariant check. */
  checkMs: number
}

/** A pass run without its position among the others. */
export type UnkeyedPassRun = Omit<PassRun, 'key'>

export interface PassId {
  variable: string
  passId: number
}

type PassGraphs = Pick<PassRun, 'before' | 'after' | 'copies'>
type PassContext = Pick<PipelineContext, 'registry' | 'schemaOf' | 'tracer' | 'detail'>

/** A copy of a graph that is being edited. `copies` maps the nodes of the copy to those of the graph, `map` the reverse. */
export function snapshotOf(edited: Graph): { graph: Graph; copies: Map<Node, Node>; map: Map<Node, Node> } {
  const { graph, map } = clone(edited)
  return { graph, map, copies: new Map([...map].map(([node, copy]) => [copy, node])) }
}

/** @param graphs `after` is a copy of `before` and is modified */
export function applyPass(pass: PassId, graphs: PassGraphs, context: PassContext): UnkeyedPassRun {
  const { registry, tracer, detail } = context
  const watching = performance.now()
  const watch = detail === 'report' ? new Watch(graphs.after) : null
  const attempts: Attempt[] = []
  const matches: AppliedMatch[] = []
  const started = performance.now()
  const result = registry.apply(pass.passId, graphs.after, {
    ...(detail !== 'counts' && { attempt: (a: Attempt) => attempts.push(a) }),
    applied: (m) => matches.push(m),
  })
  const ended = performance.now()
  const violations = watch ? findViolations(watch, matches, tracer) : []
  const applyError = result.error && `${result.error.pythonType}: ${result.error.message}`
  const { toExplain, ...unapplied } = emptyRun(pass, graphs, context)
  return {
    ...unapplied,
    count: result.count,
    matches,
    raised: result.error,
    violations,
    toExplain: {
      ...toExplain,
      attempts,
      matches,
      applyError,
      ...(result.error?.unusedArgument !== undefined && { unusedArgument: result.error.unusedArgument }),
      ...(result.error?.retrace && { retraceRaised: true }),
    },
    applyMs: ended - started,
    checkMs: watch ? started - watching + performance.now() - ended : 0,
  }
}

/** The record of a pass that was not applied. */
export const passNotApplied = (pass: PassId, graph: Graph, context: PassContext): UnkeyedPassRun =>
  emptyRun(pass, { before: graph, after: graph, copies: new Map([...graph.nodes()].map((n) => [n, n])) }, context)

function emptyRun(
  { variable, passId }: PassId,
  graphs: PassGraphs,
  { registry, schemaOf, tracer }: PassContext,
): UnkeyedPassRun {
  return {
    ...graphs,
    passId,
    count: 0,
    matches: [],
    raised: null,
    violations: [],
    toExplain: {
      name: variable,
      graph: graphs.before,
      entries: registry.pass(passId).entries,
      attempts: [],
      matches: [],
      applyError: null,
      schemaOf,
      decomposition: (node) => decompositionOf(node, tracer),
      decomposed: (call, input) => decomposed(call, () => input, tracer),
      guesses: () => tracer.guessedSchemas(),
      specific: (entry, captured) => registry.specificTrace(passId, entry, captured),
      untaken: (entry, captured) => registry.untakenTrace(passId, entry, captured),
    },
    applyMs: 0,
    checkMs: 0,
  }
}

/** Number of matches by entry index. */
export function firedByEntry({ toExplain, matches }: Pick<PassRun, 'toExplain' | 'matches'>): number[] {
  const fired = toExplain.entries.map(() => 0)
  for (const { entry } of matches) fired[entry]! += 1
  return fired
}
