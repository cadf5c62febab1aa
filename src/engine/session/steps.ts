/** Runs a pass again on a copy of its graph, up to one node, and records each step there. */
import { clone, type Graph } from '../../fx'
import type { PatternRegistry } from '../../matcher'
import { StepRecorder } from '../../matcher/steps'
import type { Timeline } from './steps_types'

/** A completed pass run. */
export interface StepsSource {
  name: string
  passId: number
  /** The graph before the pass; not modified. */
  before: Graph
}

/**
 * Returns the steps of the pass at `node`. Earlier matches are replaced first, so the graph is in the state that the pass found at
 * this node. The user's extra_checks and handlers run again up to this node.
 * @param entry the entry to record; null: all entries tried at the node
 */
export function timelineOf(
  registry: PatternRegistry,
  source: StepsSource,
  entry: number | null,
  node: string,
): Timeline {
  const recorder = new StepRecorder({ node, entry })
  const graph = clone(source.before).graph
  const entries = registry.pass(source.passId).entries
  registry.apply(source.passId, graph, { applied: (m) => recorder.applied(m), steps: recorder })
  const known = entries.map((e) => ({ index: e.index, title: e.registration.title, keys: e.keys }))
  return { pass: source.name, node, entry, ...recorder.finish(graph, known) }
}
