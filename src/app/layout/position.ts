import type { Layered } from './layered'

/**
 * x of each vertex's axis, by Brandes and Köpf (Fast and Simple Horizontal Coordinate Assignment, 2001): four
 * assignments, each straight along chains towards one corner, and the mean of the middle two. Compaction goes by
 * longest paths over the graph of blocks, which copes with vertices of different widths.
 */
export function assignX(g: Layered, gap: (a: number, b: number) => number): Float64Array {
  const lines = mainLines(g)
  const conflicts = markConflicts(g, lines)
  const results: Float64Array[] = []
  for (const fromTop of [true, false])
    for (const fromLeft of [true, false])
      results.push(assignFromCorner(g, { conflicts, lines, fromTop, fromLeft, gap }))
  return balance(g, results)
}

/**
 * If an inner segment of a long edge crosses another link, the other link gives way, so that long edges stay straight;
 * a link on the main line never gives way.
 */
function markConflicts(g: Layered, lines: MainLines): Set<number> {
  const n = g.vertices.length
  const conflicts = new Set<number>()
  const position = positions(g)
  const innerAbove = (v: number): number => {
    if (!isBend(g, v)) return -1
    const up = g.vertices[v]!.up[0]
    return up !== undefined && isBend(g, up) ? up : -1
  }
  const isMain = (u: number, v: number): boolean =>
    !isBend(g, u) && !isBend(g, v) && lines.up[v]!.includes(u) && lines.down[u]!.includes(v)
  for (let i = 1; i < g.rows.length; i++) {
    const row = g.rows[i]!
    const inner = row.filter((v) => innerAbove(v) >= 0)
    if (inner.length === 0) continue
    for (const v of row) {
      if (innerAbove(v) >= 0) continue
      for (const u of g.vertices[v]!.up) {
        for (const w of inner) {
          if (position[u]! < position[innerAbove(w)]! === position[v]! < position[w]!) continue
          conflicts.add(isMain(u, v) ? innerAbove(w) * n + w : u * n + v)
        }
      }
    }
  }
  return conflicts
}

function positions(g: Layered): Int32Array {
  const position = new Int32Array(g.vertices.length)
  for (const row of g.rows) row.forEach((v, i) => (position[v] = i))
  return position
}

interface CornerInput {
  conflicts: Set<number>
  lines: MainLines
  fromTop: boolean
  fromLeft: boolean
  gap: (a: number, b: number) => number
}

/** One of the four assignments: vertical alignment from the top or the bottom, compaction to the left or the right. */
function assignFromCorner(g: Layered, input: CornerInput): Float64Array {
  const { conflicts, lines, fromTop, fromLeft, gap } = input
  const n = g.vertices.length
  const rows = fromLeft ? g.rows : g.rows.map((r) => [...r].reverse())
  const position = new Int32Array(n)
  for (const row of rows) row.forEach((v, i) => (position[v] = i))

  const root = Int32Array.from({ length: n }, (_, i) => i)
  const align = Int32Array.from(root)
  const sequence = fromTop ? rows : [...rows].reverse()
  const [wanted, offered] = fromTop ? [lines.up, lines.down] : [lines.down, lines.up]
  for (const row of sequence) {
    let reached = -1
    for (const v of row) {
      const near = [...wanted[v]!].sort((a, b) => position[a]! - position[b]!)
      if (near.length === 0) continue
      const mid = (near.length - 1) / 2
      for (const m of mid % 1 === 0 ? [mid] : [Math.floor(mid), Math.ceil(mid)]) {
        const u = near[m]!
        if (align[v] !== v || position[u]! <= reached) continue
        if (conflicts.has(fromTop ? u * n + v : v * n + u)) continue
        // The preference must be mutual, or a long edge that starts at `u` would push the chain below it aside.
        if (!offered[u]!.includes(v)) continue
        align[u] = v
        root[v] = root[u]!
        align[v] = root[v]!
        reached = position[u]!
      }
    }
  }
  const x = compact(g, rows, root, fromLeft, gap)
  return fromLeft ? x : x.map((value) => -value)
}

/** For each vertex, the neighbors above (and below) that it should align with. */
interface MainLines {
  up: number[][]
  down: number[][]
}

/**
 * Among several neighbors, the main line prefers boxes to bends of long edges, and then the neighbor with the longest
 * chain behind it: activations before prepared weights. A decoder layer is then one straight line instead of shifting
 * at each product. Of equal neighbors, the middle one or two.
 */
function mainLines(g: Layered): MainLines {
  const position = positions(g)
  const lines = (side: 'up' | 'down'): number[][] => {
    const depth = new Int32Array(g.vertices.length)
    const best: number[][] = g.vertices.map(() => [])
    for (const row of side === 'up' ? g.rows : [...g.rows].reverse())
      for (const v of row) {
        const all = g.vertices[v]![side]
        for (const u of all) depth[v] = Math.max(depth[v]!, depth[u]! + (isBend(g, u) ? 0 : 1))
        const boxes = all.filter((u) => !isBend(g, u))
        const near = boxes.length > 0 && !isBend(g, v) ? boxes : all
        const most = Math.max(...near.map((u) => depth[u]!))
        const tied = near.filter((u) => depth[u] === most).sort((a, b) => position[a]! - position[b]!)
        best[v] = tied.slice((tied.length - 1) >> 1, (tied.length >> 1) + 1)
      }
    return best
  }
  return { up: lines('up'), down: lines('down') }
}

const isBend = (g: Layered, v: number): boolean => g.vertices[v]!.kind === 'dummy' || g.vertices[v]!.kind === 'exit'

/**
 * Places blocks as far left as their neighbors allow, then moves each right towards its preferred position, if there is
 * room.
 */
function compact(
  g: Layered,
  rows: readonly (readonly number[])[],
  root: Int32Array,
  fromLeft: boolean,
  gap: (a: number, b: number) => number,
): Float64Array {
  const n = g.vertices.length
  const after: Map<number, number>[] = Array.from({ length: n }, () => new Map())
  const before: Map<number, number>[] = Array.from({ length: n }, () => new Map())
  for (const row of rows) {
    for (let i = 1; i < row.length; i++) {
      const a = row[i - 1]!
      const b = row[i]!
      const va = g.vertices[a]!
      const vb = g.vertices[b]!
      const space = gap(a, b) + (fromLeft ? va.right + vb.left : va.left + vb.right)
      const ra = root[a]!
      const rb = root[b]!
      const old = after[ra]!.get(rb) ?? 0
      if (space > old) {
        after[ra]!.set(rb, space)
        before[rb]!.set(ra, space)
      }
    }
  }
  const order = blockOrder(n, root, after, before)
  const x = new Float64Array(n)
  for (const b of order) for (const [a, space] of before[b]!) x[b] = Math.max(x[b]!, x[a]! + space)
  const wish = wishes(g, root, x)
  for (let i = order.length - 1; i >= 0; i--) {
    const b = order[i]!
    let limit = Infinity
    for (const [c, space] of after[b]!) limit = Math.min(limit, x[c]! - space)
    const to = Math.min(limit, wish(b))
    if (to > x[b]!) x[b] = to
  }
  return Float64Array.from(root, (r) => x[r]!)
}

/** The preferred position of a block: the median of its links to other blocks. */
function wishes(g: Layered, root: Int32Array, x: Float64Array): (block: number) => number {
  const members = new Map<number, number[]>()
  for (let v = 0; v < root.length; v++) {
    const list = members.get(root[v]!)
    if (list) list.push(v)
    else members.set(root[v]!, [v])
  }
  return (block) => {
    const ends: number[] = []
    for (const v of members.get(block)!)
      for (const side of [g.vertices[v]!.up, g.vertices[v]!.down])
        for (const u of side) if (root[u] !== block) ends.push(x[root[u]!]!)
    ends.sort((a, b) => a - b)
    return ends.length === 0 ? -Infinity : (ends[(ends.length - 1) >> 1]! + ends[ends.length >> 1]!) / 2
  }
}

function blockOrder(
  n: number,
  root: Int32Array,
  after: Map<number, number>[],
  before: Map<number, number>[],
): number[] {
  const waiting = new Int32Array(n)
  const order: number[] = []
  for (let v = 0; v < n; v++) {
    if (root[v] !== v) continue
    waiting[v] = before[v]!.size
    if (waiting[v] === 0) order.push(v)
  }
  for (let i = 0; i < order.length; i++) {
    for (const c of after[order[i]!]!.keys()) {
      waiting[c]!--
      if (waiting[c] === 0) order.push(c)
    }
  }
  return order
}

function balance(g: Layered, results: readonly Float64Array[]): Float64Array {
  const n = g.vertices.length
  const extent = (xs: Float64Array): [number, number] => {
    let low = Infinity
    let high = -Infinity
    for (let v = 0; v < n; v++) {
      low = Math.min(low, xs[v]! - g.vertices[v]!.left)
      high = Math.max(high, xs[v]! + g.vertices[v]!.right)
    }
    return [low, high]
  }
  const extents = results.map(extent)
  let narrow = 0
  extents.forEach(([l, h], i) => {
    if (h - l < extents[narrow]![1] - extents[narrow]![0]) narrow = i
  })
  const [low, high] = extents[narrow]!
  // Left-going assignments (0, 2) line up at the left edge, right-going ones (1, 3) at the right edge.
  const shift = extents.map(([l, h], i) => (i % 2 === 0 ? low - l : high - h))
  const x = new Float64Array(n)
  for (let v = 0; v < n; v++) {
    const four = results.map((r, i) => r[v]! + shift[i]!).sort((a, b) => a - b)
    x[v] = Math.round((four[1]! + four[2]!) / 2)
  }
  return x
}
