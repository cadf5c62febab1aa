/** Guesses shapes of inputs from their uses, from literal sizes, and from example inputs of patterns. */
import { complete } from '../../../explain/pace'
import { dtypeAbbr, type Dim, type Graph, type Node, type TensorMeta } from '../../../fx'
import type { ShapeGuess } from '../types'
import { ShapeFacts } from '../../../ops/guess/facts'
import { relationOf } from '../../../ops/guess/relation_of'

/** A shape that a pattern expects of a node: its example input. */
export interface ExampleFact {
  node: string
  meta: TensorMeta
  /** "example input x of Pattern". */
  origin: string
}

export interface Guess extends ShapeGuess {
  /** The complete text, if every size and the dtype are known. */
  meta: Pick<TensorMeta, 'shape' | 'dtype'> | null
}

/** Maximum number of sweeps over the graph; each carries facts along chains in one direction. */
const MAX_ROUNDS = 6

/**
 * Guesses shapes for the wanted nodes. Without examples, only the graph counts.
 * @param dtype for a shape whose dtype nothing implies, with its origin; null leaves it unknown
 */
export const guessShapes = (graph: Graph, wanted: readonly Node[], from: GuessFacts): Map<string, Guess> =>
  complete(guessSlices(graph, wanted, from))

export interface GuessFacts {
  examples?: readonly ExampleFact[]
  dtype?: [name: string, origin: string] | null
}

/** The same as a generator that yields between sweeps over the graph. */
export function* guessSlices(
  graph: Graph,
  wanted: readonly Node[],
  { examples = [], dtype = null }: GuessFacts,
): Generator<void, Map<string, Guess>> {
  const facts = new ShapeFacts(graph)
  yield
  yield* settle(facts, false)
  yield* settle(facts, true)
  if (examples.length > 0) {
    const byName = new Map([...graph.nodes()].map((n) => [n.name, n]))
    for (const { node, meta, origin } of examples) {
      const at = byName.get(node)
      if (!at || facts.dimsOf(at)?.every((d) => facts.sizes.get(d))) continue
      facts.set(at, meta, origin)
      yield* settle(facts, false)
    }
    yield* settle(facts, true)
  }
  const found = new Map<string, Guess>()
  const calls = new Set([...graph.nodes()].flatMap((n) => (n.op === 'call_function' ? [n.name] : [])))
  for (const node of wanted) {
    const guess = guessOf(facts, node, calls, dtype)
    if (guess) found.set(node.name, guess)
  }
  return found
}

function* settle(facts: ShapeFacts, soft: boolean): Generator<void, void> {
  const { hard, soft: all } = facts.open
  const open = soft ? all : hard
  const apply = (n: Node, i: number): void => {
    // All rules, including those that always hold.
    if (soft) hard.close(i)
    if (n.op === 'call_function') relationOf(n.target)?.(facts, n, soft)
  }
  for (let round = 0; round < MAX_ROUNDS && !open.isEmpty; round++) {
    const before = facts.changes
    open.sweep(apply)
    yield
    if (facts.changes === before) return
  }
}

/** @param calls names of calls */
function guessOf(
  facts: ShapeFacts,
  node: Node,
  calls: ReadonlySet<string>,
  fallback: [name: string, origin: string] | null,
): Guess | null {
  const dims = facts.dimsOf(node)
  if (!dims) return null
  const sizes = dims.map((d) => facts.sizes.get(d))
  if (dims.length > 0 && sizes.every((s) => s === null)) return null
  const own = facts.dtypes.get(facts.dtypeOf(node))
  const dtype = own ?? (fallback && { value: fallback[0], origin: fallback[1] })
  const origins = new Set([...sizes.flatMap((s) => s?.origin ?? []), ...(dtype ? [dtype.origin] : [])])
  const shape = sizes.map((s): Dim => s?.value ?? '?')
  const whole = dtype !== null && !shape.includes('?')
  return {
    text: `${dtype ? dtypeAbbr(dtype.value) : '?'}[${shape.join(', ')}]`,
    source: listOf(withoutCalls(calls, [...origins])),
    meta: whole ? { shape, dtype: dtype.value } : null,
  }
}

/** Inputs and literals are better reasons than calls whose shape was computed from them. */
function withoutCalls(calls: ReadonlySet<string>, origins: readonly string[]): readonly string[] {
  const rest = origins.filter((o) => !calls.has(o))
  return rest.length > 0 ? rest : origins
}

const listOf = (origins: readonly string[]): string =>
  origins.length > 3 ? `${origins.slice(0, 2).join(', ')} and ${origins.length - 2} more` : origins.join(' and ')
