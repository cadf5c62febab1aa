import type { Layered } from './layered'

const SWEEPS = 8
/** Number of sweeps without a gain after which the search stops: one down and one up. */
const PATIENCE = 3

/** Orders each row so that few links cross: weighted medians, alternating down and up, keeping the best order seen. */
export function orderRows(g: Layered): void {
  startOrder(g)
  const position = new Float64Array(g.vertices.length)
  const refresh = (): void => g.rows.forEach((row) => row.forEach((v, i) => (position[v] = i)))
  refresh()
  let best = g.rows.map((r) => [...r])
  let bestCrossings = countCrossings(g, position)
  for (let sweep = 0, idle = 0; sweep < SWEEPS && bestCrossings > 0 && idle < PATIENCE; sweep++, idle++) {
    const down = sweep % 2 === 0
    const last = g.rows.length - 1
    for (let k = 1; k <= last; k++) {
      const row = g.rows[down ? k : last - k]!
      sortByMedian(g, row, position, down)
    }
    transpose(g, position)
    const crossings = countCrossings(g, position)
    if (crossings < bestCrossings) {
      bestCrossings = crossings
      idle = -1
      best = g.rows.map((r) => [...r])
    }
  }
  g.rows = best
}

/** Depth first from the top row, so that a chain is initially in one line. */
function startOrder(g: Layered): void {
  const rows: number[][] = g.rows.map(() => [])
  const seen = new Uint8Array(g.vertices.length)
  const visit = (root: number): void => {
    const stack = [root]
    while (stack.length > 0) {
      const v = stack.pop()!
      if (seen[v]) continue
      seen[v] = 1
      rows[g.vertices[v]!.row]!.push(v)
      const down = g.vertices[v]!.down
      for (let i = down.length - 1; i >= 0; i--) stack.push(down[i]!)
    }
  }
  for (const row of g.rows) for (const v of row) if (g.vertices[v]!.up.length === 0) visit(v)
  for (const row of g.rows) for (const v of row) visit(v)
  g.rows = rows
}

function sortByMedian(g: Layered, row: number[], position: Float64Array, down: boolean): void {
  const key = new Map<number, number>()
  row.forEach((v, i) => {
    const near = down ? g.vertices[v]!.up : g.vertices[v]!.down
    key.set(v, near.length === 0 ? i : median(near.map((u) => position[u]!).sort((a, b) => a - b)))
  })
  // Array sort is stable: equal medians keep their order, so the result does not depend on the engine.
  row.sort((a, b) => key.get(a)! - key.get(b)!)
  row.forEach((v, i) => (position[v] = i))
}

function median(sorted: readonly number[]): number {
  const m = sorted.length >> 1
  if (sorted.length % 2 === 1) return sorted[m]!
  if (sorted.length === 2) return (sorted[0]! + sorted[1]!) / 2
  const left = sorted[m - 1]! - sorted[0]!
  const right = sorted[sorted.length - 1]! - sorted[m]!
  if (left + right === 0) return (sorted[m - 1]! + sorted[m]!) / 2
  return (sorted[m - 1]! * right + sorted[m]! * left) / (left + right)
}

/** Swaps neighbors in a row while that removes crossings. */
function transpose(g: Layered, position: Float64Array): void {
  for (let improved = true, rounds = 0; improved && rounds < 4; rounds++) {
    improved = false
    for (const row of g.rows) {
      for (let i = 0; i + 1 < row.length; i++) {
        const a = row[i]!
        const b = row[i + 1]!
        if (pairCrossings(g, a, b, position) <= pairCrossings(g, b, a, position)) continue
        row[i] = b
        row[i + 1] = a
        position[b] = i
        position[a] = i + 1
        improved = true
      }
    }
  }
}

function pairCrossings(g: Layered, left: number, right: number, position: Float64Array): number {
  let n = 0
  const l = g.vertices[left]!
  const r = g.vertices[right]!
  for (const u of l.up) for (const w of r.up) if (position[u]! > position[w]!) n++
  for (const u of l.down) for (const w of r.down) if (position[u]! > position[w]!) n++
  return n
}

export function countCrossings(g: Layered, position: Float64Array): number {
  let total = 0
  for (const row of g.rows) {
    const ends: number[] = []
    for (const v of row) {
      const near = g.vertices[v]!.down.map((w) => position[w]!).sort((a, b) => a - b)
      for (const p of near) {
        // Rows are short: insertion from the right counts the ends that this link crosses.
        let i = ends.length
        while (i > 0 && ends[i - 1]! > p) i--
        total += ends.length - i
        ends.splice(i, 0, p)
      }
    }
  }
  return total
}
