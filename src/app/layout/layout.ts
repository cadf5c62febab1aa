/** Layout of a graph: ranks from top to bottom, folded into columns. */
import { drawColumn, type ColumnDrawing, type ColumnPlan } from './column'
import { compose, type Composite } from './composite'
import { foldRanks, type RankProfile } from './fold'
import { assignRanks } from './rank'
import { topology, type Topology } from './topology'
import { SPACING, type LayoutEdge, type LayoutInput, type LayoutItem, type LayoutResult } from './types'

/** More values than this through one cut are shown as chips at their users instead of connectors. */
const CONNECTORS = 8

/**
 * Lays a graph out in ranks from top to bottom, folded into columns when the strip would be too tall to read.
 * Deterministic: the same input gives the same drawing.
 */
export function layoutGraph(input: LayoutInput): LayoutResult {
  const topo = topology(input)
  const rank = assignRanks(input, topo)
  let stretch = 1
  let result = drawFolded(input, topo, rank, stretch)
  // Column widths are known only after drawing: correct the target height if the estimate was off.
  for (let i = 0; i < 2 && result.columns.length > 1; i++) {
    const ratio = result.width / Math.max(1, result.height) / input.aspect
    if (ratio > 0.75 && ratio < 1.33) break
    stretch *= Math.sqrt(ratio)
    const next = drawFolded(input, topo, rank, stretch)
    const nextRatio = next.width / Math.max(1, next.height) / input.aspect
    if (Math.abs(Math.log(nextRatio)) >= Math.abs(Math.log(ratio))) break
    result = next
  }
  return result
}

function drawFolded(input: LayoutInput, topo: Topology, rank: Int32Array, stretch: number): LayoutResult {
  const { plans, refs } = planColumns(input, topo, rank, stretch)
  const composites = new Map<number, Composite>()
  const composite = (node: number): Composite => {
    let c = composites.get(node)
    if (!c) composites.set(node, (c = compose(input, node, topo.chips.get(node) ?? [], refs.get(node) ?? [])))
    return c
  }
  const drawings = plans.map((p) => drawColumn(input, p, rank, composite))
  return assemble({ input, rank, plans, drawings, composite }, topo.loose)
}

function planColumns(
  input: LayoutInput,
  topo: Topology,
  rank: Int32Array,
  stretch: number,
): { plans: ColumnPlan[]; refs: Map<number, number[]> } {
  const profiles = profile(input, topo, rank)
  const cuts = profiles.length === 0 ? [-1] : foldRanks(profiles, input.aspect, SPACING.gutter, stretch)
  const columnOfRank = new Int32Array(profiles.length)
  const plans: ColumnPlan[] = cuts.map((last, i) => {
    const first = i === 0 ? 0 : cuts[i - 1]! + 1
    for (let r = first; r <= last; r++) columnOfRank[r] = i
    return { first, last, nodes: [], inner: [], entries: [], exits: [] }
  })
  for (const v of topo.order) plans[columnOfRank[rank[v]!]!]!.nodes.push(v)

  const refs = new Map<number, number[]>()
  const addRef = (from: number, to: number): void => {
    const list = refs.get(to)
    if (list) list.push(from)
    else refs.set(to, [from])
  }
  const arriving = plans.map(() => new Map<number, number[]>())
  for (const l of topo.links) {
    const a = columnOfRank[rank[l.from]!]!
    const b = columnOfRank[rank[l.to]!]!
    if (l.ref || b - a > 1) addRef(l.from, l.to)
    else if (a === b) plans[a]!.inner.push(l)
    else {
      const users = arriving[b]!.get(l.from)
      if (users) users.push(l.to)
      else arriving[b]!.set(l.from, [l.to])
    }
  }
  for (const l of topo.back) addRef(l.from, l.to)
  arriving.forEach((values, i) => {
    for (const [node, users] of values) {
      if (plans[i]!.entries.length < CONNECTORS) {
        plans[i]!.entries.push({ node, users })
        plans[i - 1]!.exits.push(node)
      } else for (const user of users) addRef(node, user)
    }
  })
  return { plans, refs }
}

function profile(input: LayoutInput, topo: Topology, rank: Int32Array): RankProfile[] {
  let count = 0
  for (const v of topo.order) count = Math.max(count, rank[v]! + 1)
  const ranks: RankProfile[] = Array.from({ length: count }, () => ({ height: 0, width: 0, crossing: 0 }))
  const last = new Map<number, number>()
  const refs = new Map<number, number[]>()
  for (const l of topo.links) {
    if (l.ref) {
      const list = refs.get(l.to)
      if (list) list.push(l.from)
      else refs.set(l.to, [l.from])
    } else last.set(l.from, Math.max(last.get(l.from) ?? 0, rank[l.to]!))
  }
  for (const v of topo.order) {
    const c = compose(input, v, topo.chips.get(v) ?? [], refs.get(v) ?? [])
    const r = ranks[rank[v]!]!
    r.height = Math.max(r.height, c.height + SPACING.rankGap)
    r.width += c.left + c.right + SPACING.nodeGap
  }
  for (const [v, end] of last) for (let r = rank[v]!; r < end; r++) ranks[r]!.crossing++
  for (const r of ranks) r.width += r.crossing * SPACING.dummyGap
  return ranks
}

/** The drawing being assembled from the columns' drawings. */
interface Assembly {
  input: LayoutInput
  rank: Int32Array
  plans: readonly ColumnPlan[]
  drawings: readonly ColumnDrawing[]
  composite: (node: number) => Composite
  result: LayoutResult
  /** Index into the result's items of each node's own item. */
  itemOf: Map<number, number>
}

/** Position of a column in the whole drawing. */
interface ColumnOrigin {
  column: number
  ox: number
  oy: number
}

const put = (result: LayoutResult, item: LayoutItem): number => result.items.push(item) - 1

function assemble(parts: Omit<Assembly, 'result' | 'itemOf'>, loose: readonly number[]): LayoutResult {
  const { input, plans, drawings } = parts
  const result: LayoutResult = { width: 0, height: 0, items: [], edges: [], columns: [] }
  const assembly: Assembly = { ...parts, result, itemOf: new Map() }
  const maxExits = Math.max(0, ...plans.map((p) => p.exits.length))
  const head = maxExits > 0 ? 24 + maxExits * SPACING.lane : 0
  const looseWidth = Math.max(480, ...drawings.map((d) => d.width))
  const looseHeight = placeLoose(input, loose, looseWidth, result)
  let x = 0
  let entriesBefore = new Map<number, number>()
  plans.forEach((plan, c) => {
    const d = drawings[c]!
    const top = head + (c === 0 && looseHeight > 0 ? looseHeight + SPACING.rankGap : 0)
    const origin: ColumnOrigin = { column: c, ox: x, oy: top }
    for (const node of plan.nodes) placeNode(assembly, node, origin)
    const entries = placeEntries(assembly, origin)
    addFlows(assembly, entries, origin)
    if (c > 0) connectColumns(assembly, origin, entriesBefore, entries)
    result.columns.push({ x, y: top, w: d.width, h: d.height, first: plan.first, last: plan.last })
    entriesBefore = entries
    result.width = Math.max(result.width, x + d.width)
    result.height = Math.max(result.height, top + d.height + (plan.exits.length > 0 ? head : 0))
    x += d.width + SPACING.gutter + plan.exits.length * SPACING.lane
  })
  if (loose.length > 0) {
    for (const item of result.items) if (item.kind === 'loose') result.width = Math.max(result.width, item.x + item.w)
    result.height = Math.max(result.height, looseHeight)
  }
  return result
}

/** Adds a node's item, with its chips and their edges. */
function placeNode(assembly: Assembly, node: number, { column, ox, oy }: ColumnOrigin): void {
  const { input, rank, drawings, composite, result, itemOf } = assembly
  const at = drawings[column]!.at.get(node)!
  const { width: w, height: h, role } = input.nodes[node]!
  const cx = ox + at.x
  const cy = oy + at.y
  const kind = role === 'compact' ? 'compact' : 'node'
  const r = rank[node]!
  const self = put(result, { kind, node, consumer: -1, x: cx - w / 2, y: cy - h / 2, w, h, column, rank: r })
  itemOf.set(node, self)
  for (const s of composite(node).chips) {
    const box = { x: cx + s.dx, y: cy + s.dy, w: s.w, h: s.h }
    const chip = put(result, { kind: s.kind, node: s.node, consumer: node, ...box, column, rank: r })
    const edgeY = Math.max(cy - h / 2 + 8, Math.min(cy + h / 2 - 8, box.y + s.h / 2))
    const points = [box.x + s.w, box.y + s.h / 2, cx - w / 2, edgeY]
    result.edges.push({ kind: 'attach', from: chip, to: self, source: s.node, target: node, points })
  }
}

/** Adds the items of the values that arrive from the previous column. Returns their indices by node. */
function placeEntries({ input, plans, drawings, result }: Assembly, origin: ColumnOrigin): Map<number, number> {
  const { column, ox, oy } = origin
  const entries = new Map<number, number>()
  for (const e of plans[column]!.entries) {
    const at = drawings[column]!.entryAt.get(e.node)!
    const w = input.nodes[e.node]!.chipWidth
    const h = SPACING.chipHeight
    const box = { x: ox + at.x - w / 2, y: oy + at.y - h / 2, w, h }
    entries.set(e.node, put(result, { kind: 'entry', node: e.node, consumer: -1, ...box, column, rank: -1 }))
  }
  return entries
}

function addFlows(assembly: Assembly, entries: ReadonlyMap<number, number>, { column, ox, oy }: ColumnOrigin): void {
  const { drawings, result, itemOf } = assembly
  for (const f of drawings[column]!.flows) {
    const from = f.fromEntry ? entries.get(f.from)! : itemOf.get(f.from)!
    const to = itemOf.get(f.to)!
    const points = shiftPoints(f.points, ox, oy)
    result.edges.push({ kind: 'flow', from, to, source: f.from, target: f.to, points })
  }
}

/** `points` is x and y in turn. */
const shiftPoints = (points: readonly number[], dx: number, dy: number): number[] =>
  points.map((p, i) => p + (i % 2 === 0 ? dx : dy))

/** Draws the connectors from the previous column's foot through the gutter to this column's entries. */
function connectColumns(
  { plans, drawings, result, itemOf }: Assembly,
  { column, oy: top }: ColumnOrigin,
  entriesBefore: ReadonlyMap<number, number>,
  entries: ReadonlyMap<number, number>,
): void {
  const before = drawings[column - 1]!
  const from = result.columns[column - 1]!
  const exits = [...plans[column - 1]!.exits].sort((a, b) => before.exitAt.get(b)! - before.exitAt.get(a)!)
  exits.forEach((node, lane) => {
    const leaving = before.leaving.get(node)!
    // An entry of the previous column may only pass through it.
    const start = leaving.fromEntry ? entriesBefore.get(node)! : itemOf.get(node)!
    const end = entries.get(node)!
    const entry = result.items[end]!
    const edge: Omit<LayoutEdge, 'kind' | 'points'> = { from: start, to: end, source: node, target: node }
    result.edges.push({ kind: 'flow', ...edge, points: shiftPoints(leaving.points, from.x, from.y) })
    const ex = from.x + before.exitAt.get(node)!
    const foot = from.y + from.h
    const channel = foot + 16 + lane * SPACING.lane
    const gx = from.x + from.w + SPACING.gutter / 2 + (lane - (exits.length - 1) / 2) * SPACING.lane
    const above = top - 14 - (exits.length - 1 - lane) * SPACING.lane
    const ax = entry.x + entry.w / 2
    const points = [ex, foot, ex, channel, gx, channel, gx, above, ax, above, ax, entry.y]
    result.edges.push({ kind: 'connector', ...edge, points })
  })
}

/** Places unused inputs in rows above everything. Returns their height. */
function placeLoose(input: LayoutInput, loose: readonly number[], width: number, result: LayoutResult): number {
  let x = 0
  let y = 0
  for (const node of loose) {
    const { width: w, height: h } = input.nodes[node]!
    if (x > 0 && x + w > width) {
      x = 0
      y += SPACING.chipHeight + SPACING.loose
    }
    put(result, { kind: 'loose', node, consumer: -1, x, y, w, h, column: 0, rank: -1 })
    x += w + SPACING.loose
  }
  return loose.length === 0 ? 0 : y + SPACING.chipHeight
}
