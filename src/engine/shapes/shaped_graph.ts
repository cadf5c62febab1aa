/** Completes a graph whose text has no shapes: first the given shapes, then the shapes that operators compute from them. */
import { clone, formatVal, type Device, type Graph, type Node } from '../../fx'
import { fillShapes, lacksShapes, type FilledShapes } from '../../trace/fill_shapes'
import type { Tracer } from '../../trace/types'
import { guessShapes, type Guess } from './guess/guess'
import type { GraphShapes, ShapeGuess, ShapeRow } from './types'
import { applyTyped, type TypedShapes, type WrongShape } from './typed_shapes'

/** By name of a node without a shape: the rows that determine its shape. */
export type MissingShapes = Pick<ReadonlyMap<string, readonly string[]>, 'get' | 'size'>

/** A graph that was read, with its shapes as far as they are known. */
export interface ShapedGraph {
  graph: Graph
  /** Null for a graph whose text has every shape. */
  shapes: GraphShapes | null
  missing: MissingShapes
  /** Given shapes that are not used. */
  wrong: readonly WrongShape[]
  /** True if all inputs are known of an operator that was not run because the user's Python may define it. */
  heldBack: boolean
}

/**
 * @param read not modified
 * @param withPython false before the user's Python has run: operators that it may define are not run
 */
export function shapedGraph(read: Graph, typed: TypedShapes, tracer: Tracer, withPython = true): ShapedGraph {
  const given = Object.keys(typed).length > 0
  if (!given && !lacksShapes(read)) return { graph: read, shapes: null, missing: new Map(), wrong: [], heldBack: false }
  const { graph } = clone(read)
  const wrong = applyTyped(graph, typed)
  let filled = fillShapes(graph, tracer, withPython ? undefined : isBuiltIn)
  const assumed = new Map<string, Guess>()
  while (given && assume(graph, filled, wrong, assumed))
    filled = fillShapes(graph, tracer, withPython ? undefined : isBuiltIn)
  const missing = byName(filled)
  const rows = rowsOf(graph, { filled, typed, wrong, assumed })
  const without = filled.sources.length
  const shapes = rows.length > 0 ? { rows, without, nodes: missing.size } : null
  return { graph, shapes, missing, wrong, heldBack: filled.heldBack }
}

/** Looks up by name. Few names are asked for, and only after a run. */
function byName({ missing }: FilledShapes): MissingShapes {
  let nodes: Map<string, Node> | null = null
  const names = new Map<ReadonlySet<Node>, readonly string[]>()
  return {
    size: missing.size,
    get(name) {
      nodes ??= new Map([...missing.nodes()].map((n) => [n.name, n]))
      const node = nodes.get(name)
      const sources = node && missing.sourcesOf(node)
      if (!sources) return undefined
      const known = names.get(sources) ?? [...sources].map((n) => n.name)
      names.set(sources, known)
      return known
    },
  }
}

const BUILT_IN = /^_?(?:aten|prims|operator|math|torch|builtins|inductor|_c10d_functional)\./

const isBuiltIn = (target: string): boolean => BUILT_IN.test(target)

/** Completes inputs whose shape their uses determine, such as the bias of a product. True if it set any. */
function assume(
  graph: Graph,
  { sources }: FilledShapes,
  wrong: readonly WrongShape[],
  assumed: Map<string, Guess>,
): boolean {
  const open = sources.filter((s) => !s.raised && !wrong.some((w) => w.name === s.node.name)).map((s) => s.node)
  if (open.length === 0) return false
  let any = false
  const guesses = guessShapes(graph, open, {})
  for (const node of open) {
    const guess = guesses.get(node.name)
    if (!guess?.meta) continue
    node.meta.val = { kind: 'tensor', ...guess.meta, stride: null, device: deviceOf(graph) }
    assumed.set(node.name, guess)
    any = true
  }
  return any
}

/** The device of the first tensor that has one. */
function deviceOf(graph: Graph): Device | null {
  for (const { meta } of graph.nodes()) if (meta.val?.kind === 'tensor' && meta.val.device) return meta.val.device
  return null
}

interface RowFacts {
  filled: FilledShapes
  typed: TypedShapes
  wrong: readonly WrongShape[]
  assumed: ReadonlyMap<string, Guess>
}

function rowsOf(graph: Graph, { filled, typed, wrong, assumed }: RowFacts): ShapeRow[] {
  const sources = new Map(filled.sources.map((s) => [s.node, s]))
  const reasons = new Map(wrong.map((w) => [w.name, w.message]))
  const rows: ShapeRow[] = []
  const known = new Set<string>()
  for (const node of graph.nodes()) {
    const source = sources.get(node)
    const used = usedGuess(node, filled, assumed)
    if (!source && !used && !(node.name in typed)) continue
    known.add(node.name)
    rows.push({
      name: node.name,
      kind: node.op === 'placeholder' || node.op === 'get_attr' ? node.op : 'call',
      target: node.op === 'placeholder' ? null : node.target,
      typed: typed[node.name] ?? null,
      problem: reasons.get(node.name) ?? source?.error ?? null,
      guess: used,
    })
  }
  for (const { name, message } of wrong)
    if (!known.has(name))
      rows.push({ name, kind: 'call', target: null, typed: typed[name]!, problem: message, guess: null })
  return rows
}

/** The guess that completes a node's shape; null for a node without one. */
function usedGuess(node: Node, { guessed }: FilledShapes, assumed: ReadonlyMap<string, Guess>): ShapeGuess | null {
  const result = guessed.get(node)
  if (result) return { text: formatVal(result.val), source: result.source, used: true }
  const input = assumed.get(node.name)
  return input ? { text: input.text, source: input.source, used: true } : null
}
