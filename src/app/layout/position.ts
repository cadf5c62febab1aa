import type { Layered } from './layered'

/**
 * x of each vertex's axis, by Brandes and Köpf (Fast and Simple Horizontal Coordinate Assignment, 2001): four
 * assignments, each straight along chains towards one corner, and the mean of the middle two. Compaction goes by
 * longest paths over the graph of blocks, which copes with vertices of different widths.
 */
export function assignX(g: Layered, gap: (a: number, b: number) => number): Float64Array {
  const conflicts = markConflicts(g)
  const results: Float64Array[] = []
  for (const fromTop of [true, false])
    for (const fromLeft of [true, false]) results.push(oneCorner(g, conflicts, fromTop, fromLeft, gap))
  return balance(g, results)
}

/** Links that cross an inner segment of a long edge: the long edge stays straight, they give way. */
function markConflicts(g: Layered): Set<number> {
  const n = g.vertices.length
  const conflicts = new Set<number>()
  const position = positions(g)
  const isInner = (v: number): number => {
    if (g.vertices[v]!.kind !== 'dummy' && g.vertices[v]!.kind !== 'exit') return -1
    const up = g.vertices[v]!.up[0]
    return up !== undefined && g.vertices[up]!.kind === 'dummy' ? up : -1
  }
  for (let i = 1; i < g.rows.length; i++) {
    const row = g.rows[i]!
    const above = g.rows[i - 1]!
    let k0 = 0
    let scan = 0
    for (let l = 0; l < row.length; l++) {
      const inner = isInner(row[l]!)
      if (l < row.length - 1 && inner < 0) continue
      const k1 = inner >= 0 ? position[inner]! : above.length
      for (; scan <= l; scan++) {
        const v = row[scan]!
        for (const u of g.vertices[v]!.up) {
          const k = position[u]!
          if ((k < k0 || k > k1) && isInner(v) !== u) conflicts.add(u * n + v)
        }
      }
      k0 = k1
    }
  }
  return conflicts
}

function positions(g: Layered): Int32Array {
  const position = new Int32Array(g.vertices.length)
  for (const row of g.rows) row.forEach((v, i) => (position[v] = i))
  return position
}

function oneCorner(
  g: Layered,
  conflicts: Set<number>,
  fromTop: boolean,
  fromLeft: boolean,
  gap: (a: number, b: number) => number,
): Float64Array {
  const n = g.vertices.length
  const rows = fromLeft ? g.rows : g.rows.map((r) => [...r].reverse())
  const position = new Int32Array(n)
  for (const row of rows) row.forEach((v, i) => (position[v] = i))

  const root = Int32Array.from({ length: n }, (_, i) => i)
  const align = Int32Array.from(root)
  const sequence = fromTop ? rows : [...rows].reverse()
  for (const row of sequence) {
    let reached = -1
    for (const v of row) {
      const near = [...(fromTop ? g.vertices[v]!.up : g.vertices[v]!.down)].sort((a, b) => position[a]! - position[b]!)
      if (near.length === 0) continue
      const mid = (near.length - 1) / 2
      for (const m of mid % 1 === 0 ? [mid] : [Math.floor(mid), Math.ceil(mid)]) {
        const u = near[m]!
        if (align[v] !== v || position[u]! <= reached) continue
        if (conflicts.has(fromTop ? u * n + v : v * n + u)) continue
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

/** Places blocks as far left as their neighbours let them, then each as far right as leaves the others alone. */
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
  for (let i = order.length - 1; i >= 0; i--) {
    const b = order[i]!
    let limit = Infinity
    for (const [c, space] of after[b]!) limit = Math.min(limit, x[c]! - space)
    // A block with nothing on its left has no reason to stay at zero.
    if (limit !== Infinity && limit > x[b]!) x[b] = limit
  }
  return Float64Array.from(root, (r) => x[r]!)
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
