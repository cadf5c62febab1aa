/**
 * Applies passes one after the other to a copy of the graph and reports each, in the words of the screen. What
 * explaining takes is left to explaining.ts.
 */
import type { PassToExplain } from '../../explain/explain'
import { clone, type Graph, type Node } from '../../fx'
import type { AppliedMatch, ApplyResult, Attempt, EntryView, PatternRegistry, SchemaLookup } from '../../matcher'
import type { Tracer } from '../../trace/types'
import { Watch } from '../invariants/changes'
import { brokenInvariants } from '../invariants/check'
import { classesOf } from '../report/classes'
import type { EntryReport, MatchReport, PassReport } from '../protocol'
import { viewOf } from '../report/views'

/** A pass as it ran, with what later questions about its matches need. */
export interface AppliedPass {
  report: PassReport
  passId: number
  before: Graph
  after: Graph
  /** From each node of `before` to its copy, which is in `after` unless the pass erased it. */
  copies: ReadonlyMap<Node, Node>
  matches: AppliedMatch[]
  /** What ended it before it was through with the graph. */
  raised: ApplyResult['error']
  /** What explaining it takes, for as long as the Python world that registered it is there. */
  toExplain: PassToExplain
  /** By entry: the replacement traced over the example inputs. */
  replacements: (Graph | null)[]
}

export interface PassesResult {
  passes: PassReport[]
  applied: AppliedPass[]
  /** The graph after the last pass, before dead-code elimination. */
  graph: Graph
  ms: number
}

/** Of the passes that a run found, those to apply, in order: by their variables, or all that are not idle. */
export const wantedPasses = (
  found: readonly FoundPass[],
  variables: readonly string[] | undefined,
): readonly FoundPass[] =>
  variables ? variables.flatMap((name) => found.filter((p) => p.variable === name)) : found.filter((p) => !p.idle)

interface FoundPass {
  variable: string
  passId: number
  idle?: boolean
}

/**
 * @param wanted the passes in the order to apply them; one may come twice
 * @param tracer checks the invariants of each pass by its rules; without one they are not checked
 */
export function applyPasses(
  source: Graph,
  registry: PatternRegistry,
  wanted: readonly FoundPass[],
  schemaOf: SchemaLookup,
  tracer: Tracer | null = null,
): PassesResult {
  let graph = source
  let ms = 0
  const applied: AppliedPass[] = []
  for (const one of wanted) {
    const { graph: after, map: copies } = clone(graph)
    const pass = applyOne(one, { before: graph, after, copies }, { registry, schemaOf, tracer })
    ms += pass.report.applyMs
    applied.push(pass)
    graph = after
  }
  return { passes: applied.map((a) => a.report), applied, graph: graph === source ? clone(source).graph : graph, ms }
}

/** Keys of applied passes: the variable, and from its second time on `variable#2`, `variable#3`. */
export function passKeysOf(names: readonly string[]): string[] {
  const times = new Map<string, number>()
  return names.map((name) => {
    const n = (times.get(name) ?? 0) + 1
    times.set(name, n)
    return n === 1 ? name : `${name}#${n}`
  })
}

export interface PassWorld {
  registry: PatternRegistry
  schemaOf: SchemaLookup
  /** Checks the invariants of each pass by its rules; null: they are not checked. */
  tracer: Tracer | null
}

/** Applies a pass to `after`, a copy of the graph `before`, and reports what it did. */
export function applyOne(
  { variable, passId }: FoundPass,
  { before, after, copies }: Pick<AppliedPass, 'before' | 'after' | 'copies'>,
  { registry, schemaOf, tracer }: PassWorld,
): AppliedPass {
  const watch = tracer && new Watch(after)
  const attempts: Attempt[] = []
  const started = performance.now()
  const { result, matches, applyError } = applyPass(passId, after, registry, (a) => attempts.push(a))
  const applyMs = performance.now() - started
  const violations = watch && tracer ? brokenInvariants(watch, matches, tracer) : []
  const done = untouched({ variable, passId }, before, { registry, schemaOf })
  const fired = countBy(matches, (m) => m.entry)
  const { report } = done
  return {
    ...done,
    after,
    copies,
    matches,
    raised: result.error,
    toExplain: { ...done.toExplain, attempts, matches, applyError },
    report: {
      ...report,
      count: result.count,
      applyError,
      entries: report.entries.map((e) => ({ ...e, fired: fired.get(e.index) ?? 0 })),
      attempts: attempts.map(attemptReport),
      matches: matches.map(matchReport),
      ...(violations.length > 0 && { violations }),
      applyMs,
    },
  }
}

/** A pass that has not done anything to the graph. */
export const unapplied = (pass: FoundPass, graph: Graph, world: PassReaders): AppliedPass => ({
  ...untouched(pass, graph, world),
  copies: new Map([...graph.nodes()].map((n) => [n, n])),
})

type PassReaders = Pick<PassWorld, 'registry' | 'schemaOf'>

function untouched(
  { variable, passId }: FoundPass,
  graph: Graph,
  { registry, schemaOf }: PassReaders,
): Omit<AppliedPass, 'copies'> {
  const view = registry.pass(passId)
  const told = classesOf(view.entries.map((e) => e.registration))
  const traced = view.entries.map((e) => registry.traceReplacementExample(e))
  return {
    passId,
    before: graph,
    after: graph,
    matches: [],
    raised: null,
    toExplain: {
      name: variable,
      graph,
      entries: view.entries,
      attempts: [],
      matches: [],
      applyError: null,
      schemaOf,
      specific: (entry, captured) => registry.specificTrace(passId, entry, captured),
    },
    replacements: traced.map((t) => t.graph),
    report: {
      name: variable,
      passName: view.name,
      count: 0,
      applyError: null,
      entries: view.entries.map((e, i) => ({ ...entryReport(e, traced[i]!), ...told[i]! })),
      attempts: [],
      matches: [],
      nearMisses: [],
      causes: [],
      explained: false,
      applyMs: 0,
    },
  }
}

/** One pass over a graph, which it changes. */
function applyPass(passId: number, graph: Graph, registry: PatternRegistry, onAttempt?: (a: Attempt) => void) {
  const matches: AppliedMatch[] = []
  const result = registry.apply(passId, graph, {
    ...(onAttempt && { attempt: onAttempt }),
    applied: (m) => matches.push(m),
  })
  const applyError = result.error && `${result.error.pythonType}: ${result.error.message}`
  return { result, matches, applyError }
}

/**
 * Passes over a graph of their own, which they change: how often each entry fired, and what was raised first. Yields
 * between two passes.
 */
export function* countFired(
  graph: Graph,
  registry: PatternRegistry,
  passIds: readonly number[],
): Generator<void, { fired: number[][]; raised: string | null }> {
  const fired: number[][] = []
  let raised: string | null = null
  for (const passId of passIds) {
    const { matches, applyError } = applyPass(passId, graph, registry)
    const counts = countBy(matches, (m) => m.entry)
    fired.push(registry.pass(passId).entries.map((e) => counts.get(e.index) ?? 0))
    raised ??= applyError
    yield
  }
  return { fired, raised }
}

/** Longest reason a report carries, in characters: whole patterns are printed in some, thousands of times over. */
const LONGEST_REASON = 300

/** Without what only the folding reads, and with a reason of sane length; `fusescope match` prints them whole. */
function attemptReport({ reached: _reached, pattern: _pattern, ...attempt }: Attempt): Attempt {
  const { reason } = attempt
  return reason !== null && reason.length > LONGEST_REASON
    ? { ...attempt, reason: `${reason.slice(0, LONGEST_REASON)}…` }
    : attempt
}

function entryReport(
  entry: EntryView,
  replacement: { graph: Graph | null; error: string | null },
): Omit<EntryReport, 'key' | 'title' | 'order' | 'bindings' | 'axes'> {
  return {
    index: entry.index,
    source: entry.registration.source,
    text: entry.text,
    keys: [...entry.keys],
    pattern: entry.searchGraph ? viewOf(entry.searchGraph) : { nodes: [], problems: [] },
    replacement: replacement.graph && viewOf(replacement.graph),
    replacementError: replacement.error,
    fired: 0,
  }
}

function matchReport(m: AppliedMatch, index: number): MatchReport {
  return {
    index,
    entry: m.entry,
    node: m.node,
    nodes: m.nodes,
    outputs: m.outputs.filter((o): o is string => o !== null),
    inputs: m.kwargs,
    map: m.map,
    added: m.added,
  }
}

function countBy<T, K>(items: readonly T[], key: (item: T) => K): Map<K, number> {
  const counts = new Map<K, number>()
  for (const item of items) counts.set(key(item), (counts.get(key(item)) ?? 0) + 1)
  return counts
}
