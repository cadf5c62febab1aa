/** The graph as the canvas draws it: visible nodes, blocks, and the edges between them. */
import { memoizeByObject, memoizeLast } from '../../base/memoize'
import type { GraphView, NodeView } from '../../engine/protocol'
import { emptyNode } from '../../engine/report/empty'
import { blockTitle } from './block_text'
import {
  SHOWN,
  type Block,
  type DrawnGraph,
  type Frame,
  type Grouping,
  type OpenInstances,
  type Visibility,
} from './types'
import { unitsOf, type Units } from './units'
import { inputsUnder } from './visibility'

/** Maximum number of the graph's inputs drawn beside a block; a block with more shows their number. */
const MAX_CHIPS = 4

/** The whole graph, nothing folded or hidden. The same object for the same graph. */
export const unfolded = memoizeByObject((source: GraphView): DrawnGraph => {
  const indexOf = new Map(source.nodes.map((n, i) => [n.name, i]))
  const none = { grouping: null, blocks: new Map<number, Block>(), frames: [], values: new Map<number, number>() }
  return { source, nodes: source.nodes, indexOf, ...none }
})

/** @param grouping null: nothing folds */
export function drawnGraph(
  source: GraphView,
  grouping: Grouping | null,
  open: OpenInstances,
  visible: Visibility | null = null,
): DrawnGraph {
  if (!grouping && !visible) return unfolded(source)
  const { units, drawing } = begun(source, grouping, open, visible)
  if (!drawing) return { ...unfolded(source), grouping, frames: allFrames(grouping!) }
  return { source, grouping, ...drawing.graph(), frames: grouping ? drawing.framesOf(grouping, units!) : [] }
}

/** The first half of `drawnGraph`'s work; `drawnGraph` does the rest later. */
export const beginDrawing = (source: GraphView, grouping: Grouping, open: OpenInstances): void =>
  void begun(source, grouping, open, null)

const begun = memoizeLast(
  (source: GraphView, grouping: Grouping | null, open: OpenInstances, visible: Visibility | null) => {
    const units = grouping ? unitsOf(grouping, open, visible) : null
    const whole = grouping && !visible && units!.blocks.length === 0
    return { units, drawing: whole ? null : new Drawing(source, units, visible) }
  },
)

/** The frames of a graph in which nothing is folded: nodes are drawn at their own index. */
const allFrames = (grouping: Grouping): Frame[] =>
  grouping.instances.flatMap(({ nodes }, instance) =>
    nodes.length === 0 ? [] : [{ instance, level: levelOf(grouping, instance), nodes }],
  )

function levelOf({ instances }: Grouping, instance: number): number {
  let level = 0
  for (let i = instances[instance]!.parent; i >= 0; i = instances[i]!.parent) level++
  return level
}

const isSource = ({ op }: NodeView): boolean => op === 'placeholder' || op === 'get_attr'

/** The nodes to draw, numbered in the source's order; a block is at its first node that computes. */
class Drawing {
  /** Drawn index by node of the source; -1: not drawn. */
  private readonly drawnAt: Int32Array
  /** Index of a node of the source, or -1 - index of a block. */
  private readonly order: number[] = []
  private readonly indexOfBlock: Int32Array
  /** The node that stands for each block. */
  private readonly firstOf: readonly number[]
  private readonly inputsOf: (node: number) => readonly number[]

  constructor(
    private readonly source: GraphView,
    private readonly units: Units | null,
    private readonly visible: Visibility | null,
  ) {
    this.inputsOf = inputsUnder(source, visible)
    this.drawnAt = new Int32Array(source.nodes.length).fill(-1)
    this.indexOfBlock = new Int32Array(units?.blocks.length ?? 0).fill(-1)
    this.firstOf = units?.blocks.map((b) => this.representativeOf(b)) ?? []
    const left = this.leaveOutInputs()
    for (let i = 0; i < source.nodes.length; i++) {
      const block = this.blockOf(i)
      if (block >= 0) {
        if (this.firstOf[block] !== i) continue
        this.indexOfBlock[block] = this.order.length
        this.order.push(-1 - block)
      } else if (this.isShown(i) && !left.has(i)) {
        this.drawnAt[i] = this.order.length
        this.order.push(i)
      }
    }
    for (let i = 0; i < source.nodes.length; i++) {
      const block = this.blockOf(i) >= 0 ? this.blockOf(i) : (left.get(i) ?? -1)
      if (block >= 0 && this.isShown(i)) this.drawnAt[i] = this.indexOfBlock[block]!
    }
  }

  private isShown = (node: number): boolean => !this.visible || this.visible[node] === SHOWN
  private blockOf = (node: number): number => this.units?.blockOf[node] ?? -1

  /** The node that stands for a block: the first that computes. */
  private representativeOf({ nodes }: Block): number {
    let [first, computes] = [Infinity, Infinity]
    for (const n of nodes) {
      if (n < first) first = n
      if (n < computes && !isSource(this.source.nodes[n]!)) computes = n
    }
    return computes < Infinity ? computes : first
  }

  /** Inputs of the graph that only blocks use, where one block uses more than MAX_CHIPS → that block. */
  private leaveOutInputs(): Map<number, number> {
    const left = new Map<number, number>()
    const { nodes } = this.source
    this.units?.blocks.forEach((block, b) => {
      const used = new Set<number>()
      for (const n of block.nodes)
        for (const i of this.inputsOf(n)) if (this.blockOf(i) < 0 && isSource(nodes[i]!)) used.add(i)
      if (used.size <= MAX_CHIPS) return
      for (const i of used) {
        if (left.has(i) || !nodes[i]!.users.every((u) => this.blockOf(u) >= 0)) continue
        left.set(i, b)
        block.inputsLeftOut++
      }
    })
    return left
  }

  graph(): Pick<DrawnGraph, 'nodes' | 'blocks' | 'indexOf' | 'values'> {
    const { source, order } = this
    const inputs: number[][] = []
    const users: number[][] = order.map(() => [])
    const values = new Map<number, number>()
    order.forEach((of, at) => {
      const own = this.countsOf(of < 0 ? this.units!.blocks[-1 - of]!.nodes : [of], at)
      inputs.push([...own.keys()])
      for (const [from, producers] of own) {
        users[from]!.push(at)
        if (producers.size > 1) values.set(from * order.length + at, producers.size)
      }
    })
    const blocks = new Map<number, Block>()
    const nodes = order.map((of, at): NodeView => {
      const edges = { inputs: inputs[at]!, users: users[at]! }
      if (of >= 0) return { ...source.nodes[of]!, ...edges }
      const block = this.units!.blocks[-1 - of]!
      blocks.set(at, block)
      return blockNode(source.nodes[this.firstOf[-1 - of]!]!, block, edges)
    })
    const indexOf = new Map<string, number>()
    source.nodes.forEach((n, i) => this.drawnAt[i]! >= 0 && indexOf.set(n.name, this.drawnAt[i]!))
    return { nodes, blocks, indexOf, values }
  }

  /** The producers outside these nodes whose values they use, by drawn index. */
  private countsOf(nodes: readonly number[], at: number): Map<number, Set<number>> {
    const found = new Map<number, Set<number>>()
    for (const n of nodes)
      for (const input of this.inputsOf(n)) {
        const from = this.drawnAt[input]!
        if (from < 0 || from === at) continue
        const producers = found.get(from)
        if (producers) producers.add(input)
        else found.set(from, new Set([input]))
      }
    return found
  }

  framesOf(grouping: Grouping, { opened }: Units): Frame[] {
    return grouping.instances.flatMap(({ nodes }, instance) => {
      if (!opened[instance]) return []
      const drawn = new Set<number>()
      for (const n of nodes) if (this.drawnAt[n]! >= 0) drawn.add(this.drawnAt[n]!)
      return drawn.size === 0 ? [] : [{ instance, level: levelOf(grouping, instance), nodes: [...drawn] }]
    })
  }
}

/** A block in the form of a node. It has the name of one of its nodes, so that references to nodes find it. */
const blockNode = (first: NodeView, block: Block, edges: Pick<NodeView, 'inputs' | 'users'>): NodeView => ({
  ...emptyNode(first.name, 'block', blockTitle(block)),
  ...edges,
})
