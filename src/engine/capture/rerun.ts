/** Applies a run's recorded patterns to another graph: their functions answer as they did at the nodes' counterparts. */
import { clone, type Graph } from '../../fx'
import { PatternRegistry, PythonError, type MatchEdit } from '../../matcher'
import type { CallableId } from '../../matcher/types'
import { createTracer } from '../../trace'
import { applyPass } from '../pipeline/apply_pass'
import { CaptureHost } from './host'
import { CapturedEntries } from './register'
import { declareOperators } from './replay'
import type { Capture, CapturedApplication } from './records'

/** A match; `entry` is the capture's id. */
export interface RecordedMatch {
  entry: number
  node: string
  nodes: string[]
}

export interface RerunPass {
  application: CapturedApplication
  matches: RecordedMatch[]
}

/** @param names for each recorded node, the name of its counterpart in `graph` */
export function rerunOn(
  capture: Capture,
  applications: readonly CapturedApplication[],
  graph: Graph,
  names: (node: string) => readonly string[],
): RerunPass[] {
  const tracer = createTracer()
  declareOperators(capture, tracer)
  const schemaOf = (target: string) => tracer.schemaOf(target)
  const entries = new CapturedEntries(capture, () => registry)
  const host = new RerunHost(capture, entries.idOf)
  const registry: PatternRegistry = new PatternRegistry({ host: () => host, schemaOf, overloadsOf: () => [] })
  const known = new Set<number>()
  let before = graph
  return applications.map((application): RerunPass => {
    const { pass } = application
    if (!known.has(pass)) registry.newPass(pass, capture.passes.get(pass)?.passName ?? null)
    known.add(pass)
    entries.fill(pass, application)
    host.begin(atCounterparts(application, names))
    const { graph: after, map: copies } = clone(before)
    const applied = applyPass(
      { variable: 'pass', passId: pass },
      { before, after, copies },
      { registry, tracer, schemaOf, detail: 'counts' },
    )
    host.begin(null)
    before = after
    const matches = applied.matches.map(({ entry, node, nodes }) => ({
      entry: entries.idOf(applied.toExplain.entries[entry]!.number),
      node,
      nodes: [...nodes],
    }))
    return { application, matches }
  })
}

const atCounterparts = (
  application: CapturedApplication,
  names: (node: string) => readonly string[],
): CapturedApplication => ({
  ...application,
  attempts: application.attempts.flatMap((a) => (a.ok ? names(a.node).map((node) => ({ ...a, node })) : [])),
})

/** Leaves the graph unchanged if it lacks the nodes of a handler's edit: only the matches count. */
class RerunHost extends CaptureHost {
  override handle(fn: CallableId, match: MatchEdit): void {
    try {
      super.handle(fn, match)
    } catch (e) {
      if (!(e instanceof PythonError)) throw e
    }
  }
}
