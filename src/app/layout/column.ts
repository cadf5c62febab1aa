/** Draws one column: vertices by rank, wires along chains of dummies, x by Brandes and Köpf. */
import type { Composite } from './composite'
import { addVertex, connect, type Layered } from './layered'
import { orderRows } from './order'
import { assignX } from './position'
import { SPACING, type LayoutInput } from './types'

/** Contents of one column, as node indices. */
export interface ColumnPlan {
  first: number
  last: number
  nodes: number[]
  /** Links that start and end in this column. */
  inner: { from: number; to: number }[]
  /** Values that arrive from the previous column, with their users here. */
  entries: { node: number; users: number[] }[]
  /** Values that leave for the next column. */
  exits: number[]
}

/** One placed column; x from 0 at its left edge, y from 0 at its top. */
export interface ColumnDrawing {
  width: number
  height: number
  /** Axis and middle of each node's box. */
  at: Map<number, { x: number; y: number }>
  entryAt: Map<number, { x: number; y: number }>
  exitAt: Map<number, number>
  /** From the producer's axis down to the user; `fromEntry` if the value enters at the head of the column. */
  flows: { from: number; to: number; fromEntry: boolean; points: number[] }[]
  /** From the producer down to the foot of the column. */
  leaving: Map<number, { fromEntry: boolean; points: number[] }>
}

/** A value's wire in a column: from its producer (or its entry) to its users, and to the foot if it leaves. */
interface Wire {
  start: number
  fromEntry: boolean
  users: number[]
  exits: boolean
}

/** A column being drawn, with the vertices of its nodes, entries and exits. */
interface Column {
  input: LayoutInput
  plan: ColumnPlan
  rank: Int32Array
  g: Layered
  /** 1 if the row of entries is above the nodes, else 0. */
  head: number
  /** The row of exits. */
  foot: number
  vertexOf: Map<number, number>
  entryOf: Map<number, number>
  exitOf: Map<number, number>
}

export function drawColumn(
  input: LayoutInput,
  plan: ColumnPlan,
  rank: Int32Array,
  composite: (node: number) => Composite,
): ColumnDrawing {
  const column = addVertices(input, plan, rank, composite)
  const { g } = column
  const wires = collectWires(column)
  const chains = addChains(column, wires)
  orderRows(g)
  const x = assignX(g, (a, b) =>
    g.vertices[a]!.kind === 'node' && g.vertices[b]!.kind === 'node' ? SPACING.nodeGap : SPACING.dummyGap,
  )
  const width = moveToLeftEdge(g, x)
  const heights = rowHeights(g, x, composite)
  const { middle, height } = heights
  const drawing: ColumnDrawing = {
    width,
    height,
    at: new Map(),
    entryAt: new Map(),
    exitAt: new Map(),
    flows: [],
    leaving: new Map(),
  }
  for (const [node, v] of column.vertexOf) drawing.at.set(node, { x: x[v]!, y: middle[g.vertices[v]!.row]! })
  for (const [node, v] of column.entryOf) drawing.entryAt.set(node, { x: x[v]!, y: middle[0]! })
  for (const [node, v] of column.exitOf) drawing.exitAt.set(node, x[v]!)
  const ports = inPorts(input, g, x)
  for (const [node, wire] of wires)
    drawWire(drawing, column, { node, wire, chain: chains.get(node)!, x, heights, ports })
  return drawing
}

function addVertices(
  input: LayoutInput,
  plan: ColumnPlan,
  rank: Int32Array,
  composite: (node: number) => Composite,
): Column {
  const g: Layered = { vertices: [], rows: [] }
  const head = plan.entries.length > 0 ? 1 : 0
  const foot = plan.last - plan.first + 1 + head
  const vertexOf = new Map<number, number>()
  const entryOf = new Map<number, number>()
  const column: Column = { input, plan, rank, g, head, foot, vertexOf, entryOf, exitOf: new Map() }
  for (const e of plan.entries) {
    const half = input.nodes[e.node]!.chipWidth / 2
    entryOf.set(e.node, addVertex(g, { node: e.node, kind: 'entry', row: 0, left: half, right: half }))
  }
  for (const node of plan.nodes) {
    const { left, right } = composite(node)
    vertexOf.set(node, addVertex(g, { node, kind: 'node', row: rowOf(column, node), left, right }))
  }
  return column
}

const rowOf = ({ rank, plan, head }: Column, node: number): number => rank[node]! - plan.first + head

function collectWires({ plan, vertexOf, entryOf }: Column): Map<number, Wire> {
  const wires = new Map<number, Wire>()
  for (const e of plan.entries)
    wires.set(e.node, { start: entryOf.get(e.node)!, fromEntry: true, users: [...e.users], exits: false })
  for (const l of plan.inner) {
    const wire = wires.get(l.from)
    if (wire) wire.users.push(l.to)
    else wires.set(l.from, { start: vertexOf.get(l.from)!, fromEntry: false, users: [l.to], exits: false })
  }
  for (const node of plan.exits) {
    const wire = wires.get(node)
    if (wire) wire.exits = true
    else wires.set(node, { start: vertexOf.get(node)!, fromEntry: false, users: [], exits: true })
  }
  return wires
}

/** One chain of dummies per value, down to the furthest user; all users are attached to it. */
function addChains(column: Column, wires: ReadonlyMap<number, Wire>): Map<number, number[]> {
  const { g, rank, foot, vertexOf, exitOf } = column
  const chains = new Map<number, number[]>()
  for (const [node, wire] of wires) {
    const chain = [wire.start]
    for (const user of [...wire.users].sort((a, b) => rank[a]! - rank[b]! || a - b))
      connect(g, extendChain(g, chain, rowOf(column, user)), vertexOf.get(user)!)
    if (wire.exits) {
      const exit = addVertex(g, { node, kind: 'exit', row: foot, left: 0, right: 0 })
      connect(g, extendChain(g, chain, foot), exit)
      exitOf.set(node, exit)
    }
    chains.set(node, chain)
  }
  return chains
}

/** Extends the chain of dummies to the row above `row`. Returns the chain's vertex in that row. */
function extendChain(g: Layered, chain: number[], row: number): number {
  const start = g.vertices[chain[0]!]!
  for (;;) {
    const tip = chain[chain.length - 1]!
    const tipRow = g.vertices[tip]!.row
    if (tipRow >= row - 1) return chain[row - 1 - start.row]!
    const d = addVertex(g, { node: start.node, kind: 'dummy', row: tipRow + 1, left: 0, right: 0 })
    connect(g, tip, d)
    chain.push(d)
  }
}

/** Moves the drawing to x = 0. Returns its width. */
function moveToLeftEdge(g: Layered, x: Float64Array): number {
  let low = Infinity
  let high = -Infinity
  g.vertices.forEach((v, i) => {
    low = Math.min(low, x[i]! - v.left)
    high = Math.max(high, x[i]! + v.right)
  })
  for (let i = 0; i < x.length; i++) x[i]! -= low
  return high - low
}

/** A wire with the positions that its lines are drawn from. */
interface PlacedWire {
  node: number
  wire: Wire
  chain: readonly number[]
  x: Float64Array
  heights: RowHeights
  ports: ReadonlyMap<number, ReadonlyMap<number, number>>
}

/** Adds the lines of one wire to `drawing`: to each user, and to the foot of the column. */
function drawWire(drawing: ColumnDrawing, column: Column, placed: PlacedWire): void {
  const { input, g, foot, vertexOf, exitOf } = column
  const { node, wire, chain, x, heights, ports } = placed
  const { fromEntry } = wire
  const startRow = g.vertices[wire.start]!.row
  const startHalf = fromEntry ? SPACING.chipHeight / 2 : input.nodes[node]!.height / 2
  for (const user of wire.users) {
    const v = vertexOf.get(user)!
    const row = g.vertices[v]!.row
    const link = chain[row - 1 - startRow]!
    const points = chainPoints(placed, startRow, startHalf, row)
    points.push(ports.get(v)?.get(link) ?? x[v]!, heights.middle[row]! - input.nodes[user]!.height / 2)
    drawing.flows.push({ from: node, to: user, fromEntry, points })
  }
  if (wire.exits) {
    const points = chainPoints(placed, startRow, startHalf, foot)
    points.push(x[exitOf.get(node)!]!, heights.height)
    drawing.leaving.set(node, { fromEntry, points })
  }
}

/** Points of a wire from its start down to the row above `row`. */
function chainPoints(
  { wire, chain, x, heights }: PlacedWire,
  startRow: number,
  startHalf: number,
  row: number,
): number[] {
  const { middle, half } = heights
  const points = [x[wire.start]!, middle[startRow]! + startHalf]
  for (let r = startRow + 1; r < row; r++) {
    const d = chain[r - startRow]!
    points.push(x[d]!, middle[r]! - half[r]!, x[d]!, middle[r]! + half[r]!)
  }
  return points
}

interface RowHeights {
  middle: Float64Array
  half: Float64Array
  height: number
}

/** Centers and half heights of rows; a gap with long sideways links is slightly taller. */
function rowHeights(g: Layered, x: Float64Array, composite: (node: number) => Composite): RowHeights {
  const middle = new Float64Array(g.rows.length)
  const half = new Float64Array(g.rows.length)
  let y = 0
  g.rows.forEach((row, r) => {
    let tall = 0
    let sideways = 0
    for (const v of row) {
      const vertex = g.vertices[v]!
      if (vertex.kind === 'node') tall = Math.max(tall, composite(vertex.node).height)
      else if (vertex.kind === 'entry') tall = Math.max(tall, SPACING.chipHeight)
      for (const u of vertex.up) sideways = Math.max(sideways, Math.abs(x[u]! - x[v]!))
    }
    if (r > 0) y += SPACING.rankGap + (sideways > 160 ? Math.min(26, (sideways - 160) / 12) : 0)
    half[r] = tall / 2
    middle[r] = y + tall / 2
    y += tall
  })
  return { middle, half, height: y }
}

/** x at which links meet the top of a node: straight below their start if that is over the node's middle part. */
function inPorts(input: LayoutInput, g: Layered, x: Float64Array): Map<number, Map<number, number>> {
  const ports = new Map<number, Map<number, number>>()
  g.vertices.forEach((v, i) => {
    if (v.kind !== 'node' || v.up.length === 0) return
    const reach = input.nodes[v.node]!.width * 0.34
    const near = [...new Set(v.up)].sort((a, b) => x[a]! - x[b]!)
    const step = Math.min(14, (2 * reach) / near.length)
    const at = near.map((u) => Math.max(x[i]! - reach, Math.min(x[i]! + reach, x[u]!)))
    for (let k = 1; k < at.length; k++) at[k] = Math.max(at[k]!, at[k - 1]! + step)
    const over = at[at.length - 1]! - (x[i]! + reach)
    if (over > 0) {
      at[at.length - 1]! -= over
      for (let k = at.length - 2; k >= 0; k--) at[k] = Math.min(at[k]!, at[k + 1]! - step)
    }
    ports.set(i, new Map(near.map((u, k) => [u, at[k]!])))
  })
  return ports
}
