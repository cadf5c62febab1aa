/**
 * Pairs the nodes of two graphs by structure, ignoring names. Nodes are aligned in their canonical orders by labels, from the most
 * specific to the least specific; then the arguments and users of paired nodes pair the remaining nodes.
 */
import type { Node } from '../../fx'
import { LEVELS, type CanonicalGraph, type Level } from './canonical'
import { longestIncreasing, shortestEdit } from '../../base/sequences'

export interface Correspondence {
  /** Node of the old graph → node of the new one. */
  toNew: ReadonlyMap<Node, Node>
  toOld: ReadonlyMap<Node, Node>
}

export function correspondence(old: CanonicalGraph, now: CanonicalGraph): Correspondence {
  const pairs = new Pairs(old, now)
  pairs.align([0, old.order.length, 0, now.order.length], 0)
  pairs.propagate()
  for (const level of ['whole', 'users', 'inputs', 'near'] as const) {
    pairs.unique(level)
    pairs.propagate()
  }
  pairs.inPlace()
  return pairs.byNode()
}

type Range = readonly [fromOld: number, toOld: number, fromNew: number, toNew: number]

const NONE = -1

class Pairs {
  private readonly toNew: Int32Array
  private readonly toOld: Int32Array

  constructor(
    private readonly old: CanonicalGraph,
    private readonly now: CanonicalGraph,
  ) {
    this.toNew = new Int32Array(old.order.length).fill(NONE)
    this.toOld = new Int32Array(now.order.length).fill(NONE)
  }

  byNode(): Correspondence {
    const toNew = new Map<Node, Node>()
    const toOld = new Map<Node, Node>()
    this.toNew.forEach((b, a) => {
      if (b === NONE) return
      toNew.set(this.old.order[a]!, this.now.order[b]!)
      toOld.set(this.now.order[b]!, this.old.order[a]!)
    })
    return { toNew, toOld }
  }

  private pair(a: number, b: number): void {
    this.toNew[a] = b
    this.toOld[b] = a
  }

  private open(a: number, b: number): boolean {
    return this.toNew[a] === NONE && this.toOld[b] === NONE
  }

  private equal(a: number, b: number, level: Level): boolean {
    return this.old.labels[level][a] === this.now.labels[level][b]
  }

  /** Aligns two ranges of the orders by the labels of a level, then the gaps by the next level. */
  align([fromOld, toOld, fromNew, toNew]: Range, at: number): void {
    const level = LEVELS[at]
    if (level === undefined) return
    let [a, b, endA, endB] = [fromOld, fromNew, toOld, toNew]
    while (a < endA && b < endB && this.equal(a, b, level)) this.pair(a++, b++)
    while (a < endA && b < endB && this.equal(endA - 1, endB - 1, level)) this.pair(--endA, --endB)
    if (a === endA || b === endB) return
    const range: Range = [a, endA, b, endB]
    // Labels of the last two levels repeat in each layer, so whole sequences are compared.
    const anchors = level === 'local' || level === 'operator' ? this.common(range, level) : this.anchors(range, level)
    for (const [i, j] of anchors) {
      this.align([a, i, b, j], at + 1)
      this.pair(i, j)
      ;[a, b] = [i + 1, j + 1]
    }
    this.align([a, endA, b, endB], at + 1)
  }

  /** Labels that occur once in each range, as the longest increasing sequence of positions. */
  private anchors([a, endA, b, endB]: Range, level: Level): [number, number][] {
    const seen = new Map<number, { i: number; j: number; times: number }>()
    for (let i = a; i < endA; i++) {
      const label = this.old.labels[level][i]!
      const found = seen.get(label)
      if (found) found.times += 2
      else seen.set(label, { i, j: NONE, times: 1 })
    }
    for (let j = b; j < endB; j++) {
      const found = seen.get(this.now.labels[level][j]!)
      if (!found) continue
      found.times += found.j < 0 ? 0 : 2
      found.j = j
    }
    const unique = [...seen.values()].filter((s) => s.times === 1 && s.j !== NONE)
    return longestIncreasing(unique.map(({ i, j }) => [i, j]))
  }

  private common([a, endA, b, endB]: Range, level: Level): [number, number][] {
    const [x, y] = [this.old.labels[level].subarray(a, endA), this.now.labels[level].subarray(b, endB)]
    return shortestEdit(x, y).map(([i, j]) => [a + i, b + j])
  }

  /** Pairs equal operators at equal positions among the arguments and users of paired nodes. */
  propagate(): void {
    const queue: [number, number][] = []
    this.toNew.forEach((b, a) => b !== NONE && queue.push([a, b]))
    for (let at = 0; at < queue.length; at++) {
      const [a, b] = queue[at]!
      const [inputsA, inputsB] = [this.old.inputs[a]!, this.now.inputs[b]!]
      if (inputsA.length === inputsB.length) inputsA.forEach((x, i) => this.tryPair(x, inputsB[i]!, queue))
      for (const [user, position] of this.old.uses[a]!) {
        if (this.toNew[user] !== NONE) continue
        const same = this.now.uses[b]!.filter(
          ([u, p]) => p === position && this.toOld[u] === NONE && this.equal(user, u, 'operator'),
        )
        if (same.length === 1) this.tryPair(user, same[0]![0], queue)
      }
    }
  }

  private tryPair(a: number, b: number, queue: [number, number][]): void {
    if (!this.open(a, b) || !this.equal(a, b, 'operator')) return
    this.pair(a, b)
    queue.push([a, b])
  }

  /** Pairs labels that occur once among the unpaired nodes of each graph, at any position: subgraphs that moved. */
  unique(level: Level): void {
    const once = (labels: Int32Array, taken: Int32Array): Map<number, number> => {
      const found = new Map<number, number>()
      taken.forEach((paired, i) => {
        if (paired === NONE) found.set(labels[i]!, found.has(labels[i]!) ? NONE : i)
      })
      return found
    }
    const others = once(this.now.labels[level], this.toOld)
    for (const [label, a] of once(this.old.labels[level], this.toNew)) {
      const b = others.get(label) ?? NONE
      if (a !== NONE && b !== NONE) this.pair(a, b)
    }
  }

  /** Pairs nodes of different operators between the same inputs and the same users: an operator was replaced. */
  inPlace(): void {
    for (let a = 0; a < this.toNew.length; a++) {
      if (this.toNew[a] !== NONE || this.old.order[a]!.op === 'placeholder') continue
      const input = this.old.inputs[a]!.find((i) => this.toNew[i] !== NONE)
      const candidates = input === undefined ? [] : this.now.uses[this.toNew[input]!]!
      const found = candidates.find(([b]) => this.open(a, b) && this.sameNeighbors(a, b))
      if (found) this.pair(a, found[0])
    }
  }

  private sameNeighbors(a: number, b: number): boolean {
    const [uses, others] = [this.old.uses[a]!, this.now.uses[b]!]
    if (this.old.order[a]!.op !== this.now.order[b]!.op || uses.length === 0 || uses.length !== others.length)
      return false
    const [inputs, feeds] = [this.old.inputs[a]!, this.now.inputs[b]!]
    return (
      inputs.length === feeds.length &&
      inputs.every((i) => feeds.includes(this.toNew[i]!)) &&
      uses.every(([u, at]) => others.some(([v, other]) => this.toNew[u] === v && at === other))
    )
  }
}
