import type { Link } from './topology'

/** Maximum number of node and edge visits of all pivots; beyond it the ranks are feasible and good enough. */
const WORK_LIMIT = 12_000_000

/**
 * Network simplex for ranks (Gansner, Koutsofios, North, Vo: A Technique for Drawing Directed Graphs, 1993, section 2).
 * Shortens the sum of the lengths of links that are not refs; every link keeps a length of at least 1.
 * @param rank feasible ranks, changed in place.
 */
export function networkSimplex(order: readonly number[], links: readonly Link[], rank: Int32Array): void {
  const n = order.length
  if (n < 3) return
  const local = new Int32Array(rank.length).fill(-1)
  order.forEach((v, i) => (local[v] = i))
  const tail = Int32Array.from(links, (l) => local[l.from]!)
  const head = Int32Array.from(links, (l) => local[l.to]!)
  const weight = Int32Array.from(links, (l) => (l.ref ? 0 : 1))
  const r = Int32Array.from(order, (v) => rank[v]!)
  for (const component of components(n, tail, head)) new Simplex(component, tail, head, weight, r).run()
  order.forEach((v, i) => (rank[v] = r[i]!))
}

interface Component {
  nodes: number[]
  edges: number[]
}

function components(n: number, tail: Int32Array, head: Int32Array): Component[] {
  const parent = Int32Array.from({ length: n }, (_, i) => i)
  const find = (i: number): number => {
    while (parent[i] !== i) i = parent[i] = parent[parent[i]!]!
    return i
  }
  for (let e = 0; e < tail.length; e++) {
    const a = find(tail[e]!)
    const b = find(head[e]!)
    if (a !== b) parent[Math.max(a, b)] = Math.min(a, b)
  }
  const byRoot = new Map<number, Component>()
  for (let i = 0; i < n; i++) {
    const root = find(i)
    const c = byRoot.get(root)
    if (c) c.nodes.push(i)
    else byRoot.set(root, { nodes: [i], edges: [] })
  }
  for (let e = 0; e < tail.length; e++) byRoot.get(find(tail[e]!))!.edges.push(e)
  return [...byRoot.values()].filter((c) => c.nodes.length > 2)
}

class Simplex {
  private readonly adjacent: number[][]
  private readonly inTree: Uint8Array
  private readonly parentEdge: Int32Array
  private readonly low: Int32Array
  private readonly lim: Int32Array
  private readonly cut: Int32Array
  private postorder: number[] = []

  constructor(
    private readonly c: Component,
    private readonly tail: Int32Array,
    private readonly head: Int32Array,
    private readonly weight: Int32Array,
    private readonly rank: Int32Array,
  ) {
    const n = rank.length
    this.adjacent = Array.from({ length: n }, () => [])
    for (const e of c.edges) {
      this.adjacent[tail[e]!]!.push(e)
      this.adjacent[head[e]!]!.push(e)
    }
    this.inTree = new Uint8Array(tail.length)
    this.parentEdge = new Int32Array(n).fill(-1)
    this.low = new Int32Array(n)
    this.lim = new Int32Array(n)
    this.cut = new Int32Array(tail.length)
  }

  run(): void {
    this.growTightTree()
    const perPivot = this.c.nodes.length * 2 + this.c.edges.length * 2
    for (let work = 0; work < WORK_LIMIT; work += perPivot) {
      this.walkTree()
      this.computeCuts()
      const leave = this.leavingEdge()
      if (leave < 0) return
      const enter = this.enteringEdge(leave)
      if (enter < 0) return
      this.exchange(leave, enter)
    }
  }

  private slack(e: number): number {
    return this.rank[this.head[e]!]! - this.rank[this.tail[e]!]! - 1
  }

  /** Spanning tree of links of length 1, made by shifting the tree grown so far towards the nearest node outside. */
  private growTightTree(): void {
    const member = new Uint8Array(this.rank.length)
    const grown: number[] = []
    const stack: number[] = []
    const add = (v: number): void => {
      member[v] = 1
      grown.push(v)
      stack.push(v)
    }
    add(this.c.nodes[0]!)
    for (;;) {
      while (stack.length > 0) {
        const v = stack.pop()!
        for (const e of this.adjacent[v]!) {
          const w = this.tail[e] === v ? this.head[e]! : this.tail[e]!
          if (member[w] || this.slack(e) !== 0) continue
          this.inTree[e] = 1
          add(w)
        }
      }
      if (grown.length === this.c.nodes.length) return
      let best = -1
      let bestSlack = Infinity
      for (const e of this.c.edges) {
        if (member[this.tail[e]!] === member[this.head[e]!]) continue
        const s = this.slack(e)
        if (s < bestSlack) {
          bestSlack = s
          best = e
        }
      }
      const delta = member[this.head[best]!] ? -this.slack(best) : this.slack(best)
      for (const v of grown) this.rank[v]! += delta
      stack.push(...grown)
    }
  }

  /** Postorder numbers of the tree: `w` is below `v` when low[v] <= lim[w] <= lim[v]. */
  private walkTree(): void {
    const root = this.c.nodes[0]!
    this.postorder = []
    this.parentEdge[root] = -1
    let next = 1
    const stack: [number, number][] = [[root, 0]]
    this.low[root] = 1
    while (stack.length > 0) {
      const top = stack[stack.length - 1]!
      const v = top[0]
      const edges = this.adjacent[v]!
      let down = -1
      while (top[1] < edges.length) {
        const e = edges[top[1]++]!
        if (this.inTree[e] && e !== this.parentEdge[v]) {
          down = e
          break
        }
      }
      if (down >= 0) {
        const w = this.tail[down] === v ? this.head[down]! : this.tail[down]!
        this.parentEdge[w] = down
        this.low[w] = next
        stack.push([w, 0])
      } else {
        this.lim[v] = next++
        this.postorder.push(v)
        stack.pop()
      }
    }
  }

  /** Cut value of each tree edge, leaves first. */
  private computeCuts(): void {
    for (const v of this.postorder) {
      const parent = this.parentEdge[v]!
      if (parent < 0) continue
      const upward = this.tail[parent] === v
      let sum = this.weight[parent]!
      for (const e of this.adjacent[v]!) {
        if (e === parent) continue
        // Seen from v, an edge in the direction of the parent edge counts positive, the others negative.
        const same = (this.tail[e] === v) === upward
        let value = this.weight[e]!
        if (this.inTree[e]) value -= this.cut[e]!
        sum += same ? value : -value
      }
      this.cut[parent] = sum
    }
  }

  private leavingEdge(): number {
    let best = -1
    let value = 0
    for (const v of this.postorder) {
      const e = this.parentEdge[v]!
      if (e >= 0 && this.cut[e]! < value) {
        value = this.cut[e]!
        best = e
      }
    }
    return best
  }

  private below(v: number, w: number): boolean {
    return this.low[v]! <= this.lim[w]! && this.lim[w]! <= this.lim[v]!
  }

  private enteringEdge(leave: number): number {
    const t = this.tail[leave]!
    const h = this.head[leave]!
    const tailIsBelow = this.parentEdge[t] === leave
    const child = tailIsBelow ? t : h
    let best = -1
    let bestSlack = Infinity
    for (const e of this.c.edges) {
      if (this.inTree[e]) continue
      const tailBelow = this.below(child, this.tail[e]!)
      const headBelow = this.below(child, this.head[e]!)
      if (tailBelow === headBelow || headBelow !== tailIsBelow) continue
      const s = this.slack(e)
      if (s < bestSlack) {
        bestSlack = s
        best = e
      }
    }
    return best
  }

  private exchange(leave: number, enter: number): void {
    const t = this.tail[leave]!
    const tailIsBelow = this.parentEdge[t] === leave
    const child = tailIsBelow ? t : this.head[leave]!
    const s = this.slack(enter)
    // The part below moves so that the entering link becomes tight: up when its head is below, down otherwise.
    const delta = tailIsBelow ? -s : s
    for (const v of this.postorder) if (this.below(child, v)) this.rank[v]! += delta
    this.inTree[leave] = 0
    this.inTree[enter] = 1
  }
}
