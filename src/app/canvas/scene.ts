import type { NodeView } from '../../engine/protocol'
import { blockDifference } from '../fold/block_text'
import type { DrawnGraph } from '../fold/types'
import type { LayoutEdge, LayoutItem, LayoutResult } from '../layout'
import { cardWord } from '../layout/text'
import { framesOf, type DrawnFrame } from './blocks/frames'
import type { Box } from './box'

const CELL = 512

/** Spatial index: boxes in a grid of cells, for hit tests and visibility. Results are in ascending order. */
class Grid {
  private readonly cells = new Map<number, number[]>()

  constructor(private readonly boxes: readonly Box[]) {
    boxes.forEach((b, i) =>
      this.visit(b, (key) => {
        const cell = this.cells.get(key)
        if (cell) cell.push(i)
        else this.cells.set(key, [i])
      }),
    )
  }

  /** Indices of the boxes that touch `area`. */
  query(area: Box): number[] {
    const found = new Set<number>()
    this.visit(area, (key) => {
      for (const i of this.cells.get(key) ?? []) {
        const b = this.boxes[i]!
        if (b.x < area.x + area.w && area.x < b.x + b.w && b.y < area.y + area.h && area.y < b.y + b.h) found.add(i)
      }
    })
    return [...found].sort((a, b) => a - b)
  }

  private visit(b: Box, each: (key: number) => void): void {
    const x1 = Math.floor((b.x + b.w) / CELL)
    const y1 = Math.floor((b.y + b.h) / CELL)
    for (let cx = Math.floor(b.x / CELL); cx <= x1; cx++)
      for (let cy = Math.floor(b.y / CELL); cy <= y1; cy++) each(cx * 65536 + cy)
  }
}

/** A laid-out graph with the indices that drawing and picking need. Built once per layout. */
export interface Scene {
  graph: DrawnGraph
  layout: LayoutResult
  /** Nodes of the graph by name; one in a block has the index of the block. */
  indexOf: ReadonlyMap<string, number>
  /** Items by node index; a node's own box first. */
  itemsOf: number[][]
  /** Edge indices by the node index they end at. */
  edgesInto: number[][]
  edgesFrom: number[][]
  grid: Grid
  /** Edges as paths, one per column and kind, in world units. */
  paths: { box: Box; flow: Path2D; attach: Path2D }[]
  connectors: Path2D
  frames: DrawnFrame[]
  /** How instances of a block differ, by index of the block. */
  differences: ReadonlyMap<number, string>
  /** The label of a node in large type, at the largest size that fits. */
  words: { text: string; size: number }[]
}

/** Sizes of the overview's monospaced type, world units, largest first. */
export const WORD_SIZES = [30, 25, 20] as const
/** Room for a word in a node, and the advance of a character at size 1. */
const WORD_ROOM = 186
const ADVANCE = 0.605

export function buildScene(graph: DrawnGraph, layout: LayoutResult): Scene {
  const count = graph.nodes.length
  const itemsOf: number[][] = Array.from({ length: count }, () => [])
  const edgesInto: number[][] = Array.from({ length: count }, () => [])
  const edgesFrom: number[][] = Array.from({ length: count }, () => [])
  layout.items.forEach((item, i) => itemsOf[item.node]?.push(i))
  for (const list of itemsOf) list.sort((a, b) => kindOrder(layout.items[a]!) - kindOrder(layout.items[b]!) || a - b)
  const paths = layout.columns.map((c) => ({
    box: { x: c.x - 40, y: c.y - 60, w: c.w + 80, h: c.h + 120 },
    flow: new Path2D(),
    attach: new Path2D(),
  }))
  const connectors = new Path2D()
  layout.edges.forEach((e, i) => {
    edgesInto[e.target]?.push(i)
    edgesFrom[e.source]?.push(i)
    if (e.kind === 'connector') traceEdge(connectors, e)
    else {
      const path = paths[layout.items[e.from]!.column]!
      traceEdge(e.kind === 'flow' ? path.flow : path.attach, e)
    }
  })
  return {
    graph,
    layout,
    indexOf: graph.indexOf,
    itemsOf,
    edgesInto,
    edgesFrom,
    grid: new Grid(layout.items),
    paths,
    connectors,
    frames: framesOf(graph, layout, itemsOf),
    differences: new Map(
      [...graph.blocks].flatMap(([i, block]): [number, string][] => {
        const text = blockDifference(block)
        return text === null ? [] : [[i, text]]
      }),
    ),
    words: graph.nodes.map((n) => fitWord(cardWord(n))),
  }
}

function fitWord(word: string): { text: string; size: number } {
  const size = WORD_SIZES.find((s) => word.length * s * ADVANCE <= WORD_ROOM)
  if (size !== undefined) return { text: word, size }
  const least = WORD_SIZES[WORD_SIZES.length - 1]!
  return { text: word.slice(0, Math.floor(WORD_ROOM / (least * ADVANCE)) - 1) + '…', size: least }
}

const kindOrder = (item: LayoutItem): number => (item.kind === 'node' || item.kind === 'compact' ? 0 : 1)

/** Target of path commands: a Path2D or a context. */
export type PathSink = Pick<Path2D, 'moveTo' | 'lineTo' | 'bezierCurveTo' | 'arcTo'>

const CORNER = 12

export function traceEdge(path: PathSink, edge: LayoutEdge): void {
  const p = edge.points
  path.moveTo(p[0]!, p[1]!)
  if (edge.kind === 'connector') {
    for (let i = 2; i + 3 < p.length; i += 2) path.arcTo(p[i]!, p[i + 1]!, p[i + 2]!, p[i + 3]!, CORNER)
    path.lineTo(p[p.length - 2]!, p[p.length - 1]!)
    return
  }
  for (let i = 2; i < p.length; i += 2) {
    const x0 = p[i - 2]!
    const y0 = p[i - 1]!
    const x1 = p[i]!
    const y1 = p[i + 1]!
    if (edge.kind === 'attach' || Math.abs(x0 - x1) < 0.5) path.lineTo(x1, y1)
    else path.bezierCurveTo(x0, (y0 + y1) / 2, x1, (y0 + y1) / 2, x1, y1)
  }
}

/** The box of a node's own item, or of its first chip. */
export function mainItem(scene: Scene, node: number): LayoutItem | null {
  const first = scene.itemsOf[node]?.[0]
  return first === undefined ? null : scene.layout.items[first]!
}

export function nodeNamed(scene: Scene, name: string | null): NodeView | null {
  const i = name === null ? undefined : scene.indexOf.get(name)
  return i === undefined ? null : scene.graph.nodes[i]!
}
