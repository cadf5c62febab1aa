/** A pass run again on a copy of the graph it was given, up to one node, with every step there recorded. */
import { clone, type Graph } from '../../fx'
import type { PatternRegistry } from '../../matcher'
import { StepRecorder } from '../../matcher/steps'
import type { Timeline } from './steps_types'

/** A pass as it ran. */
export interface StepsSource {
  name: string
  passId: number
  /** The graph as the pass was given it; not touched. */
  before: Graph
}

/**
 * What the pass does at `node`: the matches before it are replaced again first, so that the graph is as the pass found
 * it when this candidate came. The user's extra_checks and handlers run again up to there.
 * @param entry one entry's steps; null: those of all that are tried there
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
