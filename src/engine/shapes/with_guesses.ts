/** Adds guesses to the rows of a graph without shapes, once the places where patterns align are known. */
import type { Environment } from '../../workspace/types'
import type { PassRun } from '../pipeline/apply_pass'
import { guessSlices, type ExampleFact } from './guess/guess'
import type { ShapedGraph } from './shaped_graph'
import type { GraphShapes } from './types'

/**
 * Runs in slices, because 50,000 nodes take half a second. Null if the graph's text has all shapes.
 * @param environment its dtype is used for a shape whose dtype nothing implies
 */
export function* withGuesses(
  { graph, shapes }: Pick<ShapedGraph, 'graph' | 'shapes'>,
  passes: readonly Pick<PassRun, 'toExplain'>[],
  { dtype }: Pick<Environment, 'dtype'>,
): Generator<void, GraphShapes | null> {
  if (!shapes) return null
  const open = new Set(shapes.rows.filter((r) => r.typed === null && r.guess === null).map((r) => r.name))
  const wanted = [...graph.nodes()].filter((n) => open.has(n.name))
  if (wanted.length === 0) return shapes
  const examples = passes.flatMap(exampleFacts)
  const guesses = yield* guessSlices(graph, wanted, { examples, dtype: [dtype, 'the environment’s dtype'] })
  const rows = shapes.rows.map((row) => {
    const guess = guesses.get(row.name)
    return guess && open.has(row.name) ? { ...row, guess: { text: guess.text, source: guess.source } } : row
  })
  return { ...shapes, rows }
}

/** The example inputs at places where a pattern aligns; the first pattern of a place counts. */
function exampleFacts({ toExplain }: Pick<PassRun, 'toExplain'>): ExampleFact[] {
  const facts = new Map<string, ExampleFact>()
  for (const { entry, dropReason } of toExplain.attempts) {
    if (dropReason?.kind !== 'unknown-shape') continue
    const registration = toExplain.entries[entry]?.registration
    if (!registration || !('exampleInputs' in registration)) continue
    dropReason.nodes.forEach((node, i) => {
      const argument = dropReason.arguments[i]
      const meta = registration.exampleInputs[argument === undefined ? -1 : registration.argNames.indexOf(argument)]
      if (meta?.kind === 'tensor' && !facts.has(node))
        facts.set(node, { node, meta, origin: `example input ${argument} of ${registration.title}` })
    })
  }
  return [...facts.values()]
}
