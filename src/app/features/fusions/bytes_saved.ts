/** Memory traffic that a rewrite saves: bytes that the replaced nodes read and write, minus those of their replacements. */
import type { GraphView, NodeView, PassReport } from '../../../engine/protocol'

/** Bytes of an element, by the dtype as print_readable writes it. */
const SIZES: Readonly<Record<string, number>> = {
  f64: 8,
  i64: 8,
  c64: 8,
  c128: 16,
  f32: 4,
  i32: 4,
  f16: 2,
  bf16: 2,
  i16: 2,
}

/** Nodes that move no data. */
const FREE: ReadonlySet<NodeView['family']> = new Set(['view', 'getitem', 'input', 'output'])

/** Null if a node's shape or dtype is unknown, or a size is symbolic. */
export function bytesSaved(
  before: GraphView,
  after: GraphView | null,
  passes: readonly Pick<PassReport, 'matches'>[],
): number | null {
  if (!after) return null
  const matches = passes.flatMap((p) => p.matches)
  const replaced = trafficOf(before, new Set(matches.flatMap((m) => m.nodes)))
  const added = trafficOf(after, new Set(matches.flatMap((m) => m.added)))
  return replaced === null || added === null ? null : replaced - added
}

function trafficOf(graph: GraphView, names: ReadonlySet<string>): number | null {
  let bytes = 0
  for (const n of graph.nodes) {
    if (!names.has(n.name) || FREE.has(n.family)) continue
    for (const value of [n, ...n.inputs.map((i) => graph.nodes[i]!)]) {
      const size = sizeOf(value)
      if (size === null) return null
      bytes += size
    }
  }
  return bytes
}

/** A value without a shape is either not a tensor, or a tuple whose items are counted where they are used. */
function sizeOf({ dtype, shape }: NodeView): number | null {
  if (dtype === null || shape === null) return 0
  const sizes = shape
    .slice(1, -1)
    .split(',')
    .filter((s) => s.trim() !== '')
    .map(Number)
  return sizes.some((s) => !Number.isSafeInteger(s)) ? null : sizes.reduce((n, s) => n * s, SIZES[dtype] ?? 1)
}
