import type { LayoutInput } from './types'

/** A use of one ranked node by another. */
export interface Link {
  from: number
  to: number
  /** Drawn as a chip beside the consumer instead of an edge. */
  ref: boolean
}

export interface Topology {
  /** Indices of ranked nodes, in topological order. */
  order: number[]
  links: Link[]
  /** Sources that each node uses, in argument order. */
  chips: Map<number, number[]>
  /** Sources without users. */
  loose: number[]
  /** Uses that would run upwards: the graph was not in topological order, or has a cycle. */
  back: { from: number; to: number }[]
}

/** Splits uses into links between ranked nodes and chips, and orders the ranked nodes topologically. */
export function topology(input: LayoutInput): Topology {
  const { nodes } = input
  const chips = new Map<number, number[]>()
  const links: Link[] = []
  const used = new Uint8Array(nodes.length)
  for (let v = 0; v < nodes.length; v++) {
    const node = nodes[v]!
    if (node.role === 'source') continue
    for (const u of node.inputs) {
      const from = nodes[u]
      if (!from || u === v) continue
      used[u] = 1
      if (from.role === 'source') {
        const list = chips.get(v)
        if (list) list.push(u)
        else chips.set(v, [u])
      } else links.push({ from: u, to: v, ref: false })
    }
  }
  const loose: number[] = []
  nodes.forEach((n, i) => {
    if (n.role === 'source' && !used[i]) loose.push(i)
  })
  const { order, kept, back } = sortTopologically(input, links)
  return { order, links: kept, chips, loose, back }
}

/** Kahn's algorithm, lowest index first; where a cycle stops it, the lowest node left goes next and its open inputs become back links. */
function sortTopologically(input: LayoutInput, links: Link[]): { order: number[]; kept: Link[]; back: Link[] } {
  const n = input.nodes.length
  const waiting = new Int32Array(n)
  const out: Link[][] = Array.from({ length: n }, () => [])
  for (const l of links) {
    waiting[l.to]!++
    out[l.from]!.push(l)
  }
  const position = new Int32Array(n).fill(-1)
  const order: number[] = []
  // FX graphs are usually sorted, so one pass of the cursor is nearly always enough.
  let pending = input.nodes.map((_, i) => i).filter((i) => input.nodes[i]!.role !== 'source')
  while (pending.length > 0) {
    const rest: number[] = []
    for (const v of pending) {
      if (waiting[v]! > 0) {
        rest.push(v)
        continue
      }
      position[v] = order.length
      order.push(v)
      for (const l of out[v]!) waiting[l.to]!--
    }
    if (rest.length === pending.length) waiting[rest[0]!] = 0
    pending = rest
  }
  const kept = links.filter((l) => position[l.from]! < position[l.to]!)
  const back = kept.length === links.length ? [] : links.filter((l) => position[l.from]! >= position[l.to]!)
  return { order, kept, back }
}
