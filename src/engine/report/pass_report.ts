/** Reports the run of a pass as plain data. */
import type { Graph } from '../../fx'
import { briefReason, type AppliedMatch, type Attempt, type EntryView, type PatternRegistry } from '../../matcher'
import { firedByEntry, type PassRun } from '../pipeline/apply_pass'
import type { EntryReport, MatchReport, PassReport } from '../protocol'
import type { MissingShapes } from '../shapes/shaped_graph'
import { unshapedPlaces } from '../shapes/unshaped'
import { classesOf } from './classes'
import { viewOf } from './views'

/** A pass as it ran and as it is reported. */
export interface ReportedPass extends PassRun {
  report: PassReport
  /** By entry: the replacement traced over the example inputs; null if it has none. */
  replacements: (Graph | null)[]
}

/**
 * @param registry the registry of the pass run; it traces the replacements, so Python must still hold the patterns
 * @param missing for a graph without shapes: the inputs that a node's shape follows from
 */
export function reportPass(run: PassRun, registry: PatternRegistry, missing: MissingShapes = new Map()): ReportedPass {
  const { toExplain, matches, violations } = run
  const { name, entries, attempts, applyError } = toExplain
  const classes = classesOf(entries.map((e) => e.registration))
  const traced = entries.map((e) => registry.traceReplacementExample(e))
  const fired = firedByEntry(run)
  const unshaped = unshapedPlaces(run, missing)
  const report: PassReport = {
    name,
    passName: run.passId === null ? null : registry.pass(run.passId).name,
    count: run.count,
    applyError,
    entries: entries.map((e, i) => ({ ...entryReport(e, traced[i]!), ...classes[i]!, fired: fired[i]! })),
    attempts: attempts.map(attemptReport),
    matches: matches.map(matchReport),
    nearMisses: [],
    causes: [],
    explained: false,
    ...(violations.length > 0 && { violations }),
    ...(unshaped.length > 0 && { unshaped }),
    applyMs: run.applyMs,
  }
  return { ...run, report, replacements: traced.map((t) => t.graph) }
}

/**
 * Omits the fields that only near misses need and shortens the reason; `fusescope match --json` prints the full reason.
 */
function attemptReport(attempt: Attempt): Attempt {
  // Field by field: a spread of 150,000 attempts takes as long as matching them.
  const { entry, phase, node, ok, nodes, mismatch, dropped, dropReason, reads, stubs } = attempt
  const made: Attempt = {
    entry,
    phase,
    node,
    ok,
    reason: attempt.brief ?? (attempt.reason && briefReason(attempt.reason)),
    nodes,
  }
  if (mismatch !== undefined) made.mismatch = mismatch
  if (dropped !== undefined) made.dropped = dropped
  if (dropReason !== undefined) made.dropReason = dropReason
  if (reads !== undefined) made.reads = reads
  if (stubs !== undefined) made.stubs = stubs
  return made
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
