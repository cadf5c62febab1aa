/**
 * Computes how much of a pattern can align at a graph node, continuing past differences: the largest number of aligned
 * pattern nodes over all interpretations, minus a cost for each difference. Bounded: each pair of nodes is evaluated
 * once per budget.
 */
import { Node, isFunctionOrMethod, isGetitem, packetOf, operatorOf, isFunctionalized } from '../../fx'
import type { SchemaLookup } from '../../matcher/schema_facts'
import { pairArguments, type Paired } from './arguments'
import { hasForms, isFactory, isScaling, keyOf, passesThrough } from '../reasons/operators'
import type { PatternGraph } from './pattern_graph'

/** Relation of a pattern node to a graph node. */
export type Step =
  | { how: 'same' | 'overload' | 'form' | 'functionalization' | 'factory' | 'other'; swapped: boolean; paired: Paired }
  /** The graph node is extra: the pattern node is compared with its input next. */
  | { how: 'inserted'; to: Node }
  /** The pattern node is extra: its input is compared with this graph node next. */
  | { how: 'missing'; to: Node }

/** Budget for differences along one path: a node that passes values through costs 1, any other node 2. */
export const BUDGET = 4

const COST = {
  inserted: 0.2,
  missing: 0.5,
  otherInserted: 0.45,
  other: 0.6,
  swapped: 0.1,
  near: 0.1,
  index: 0.3,
  otherMissing: 0.8,
}

export class Similarity {
  private readonly memo = new Map<Node, Map<Node, { value: number; step: Step | null }[]>>()
  private readonly pairs = new Map<Node, Map<Node, Paired>>()
  private readonly size: (node: Node) => number

  constructor(
    private readonly pattern: PatternGraph,
    private readonly schemaOf: SchemaLookup,
  ) {
    this.size = (n) => pattern.weightOf(n)
  }

  /** Aligned pattern nodes minus the cost of the differences; 0 if nothing aligns. */
  value(p: Node, g: Node, budget = BUDGET): number {
    return this.best(p, g, budget).value
  }

  step(p: Node, g: Node, budget: number): Step | null {
    return this.best(p, g, budget).step
  }

  private best(p: Node, g: Node, budget: number): { value: number; step: Step | null } {
    if (p.op === 'placeholder') return NOTHING
    let row = this.memo.get(p)
    if (!row) this.memo.set(p, (row = new Map()))
    let cell = row.get(g)
    if (!cell) row.set(g, (cell = []))
    return (cell[budget] ??= this.compute(p, g, budget))
  }

  private compute(p: Node, g: Node, budget: number): { value: number; step: Step | null } {
    let best: { value: number; step: Step | null } = NOTHING
    const take = (value: number, step: () => Step): void => {
      if (value > best.value + 1e-9) best = { value, step: step() }
    }
    const how = meeting(p, g)
    if (how !== null) {
      const paired = this.pair(p, g)
      const own = how !== 'same' ? 1 - COST.near : isGetitem(p) && p.args[1] !== g.args[1] ? 1 - COST.index : 1
      const direct = this.sum(paired, budget, false)
      take(own + direct, () => ({ how, swapped: false, paired }))
      if (best.value >= this.size(p) - 1e-9) return best
      if (how !== 'functionalization' && canSwap(paired))
        take(own + this.sum(paired, budget, true) - COST.swapped, () => ({ how, swapped: true, paired }))
    }
    const size = this.size(p)
    if (!isFunctionOrMethod(g)) return best
    const skip = price(g)
    if (budget >= skip.budget && best.value < size - skip.cost)
      for (const to of inputsOf(g))
        take(this.value(p, to, budget - skip.budget) - skip.cost, () => ({ how: 'inserted', to }))
    const drop = price(p)
    const lost = passesThrough(p) ? COST.missing : COST.otherMissing
    if (budget >= drop.budget && best.value < size - 1 - lost)
      for (const to of inputsOf(p))
        if (to.op !== 'placeholder')
          take(this.value(to, g, budget - drop.budget) - lost, () => ({ how: 'missing', to }))
    if (how === null && budget >= 2 && isFunctionOrMethod(p) && best.value < size - 1 - COST.other) {
      const paired = this.likePairs(p, g, budget - 2) ?? pairArguments(p, g, this.schemaOf, false)
      take(this.sum(paired, budget - 2, false) - COST.other, () => ({ how: 'other', swapped: false, paired }))
      if (canSwap(paired))
        take(this.sum(paired, budget - 2, true) - COST.other - COST.swapped, () => ({
          how: 'other',
          swapped: true,
          paired,
        }))
    }
    return best
  }

  /**
   * Node operands of two different operators with different numbers of operands: pairs each pattern operand with the most similar
   * graph operand. Null if pairing by position is as good.
   */
  private likePairs(p: Node, g: Node, budget: number): Paired | null {
    const [mine, theirs] = [p.inputs(), g.inputs()]
    if (mine.length < 2 || theirs.length <= mine.length || theirs.length > MAX_OPERANDS) return null
    const free = new Set(theirs)
    const paired = new Map<Node, Node>()
    for (const operand of mine) {
      const values = [...free].map((g) => ({ g, value: this.value(operand, g, budget) }))
      const best = values.reduce((a, b) => (b.value > a.value ? b : a))
      if (best.value === 0) continue
      paired.set(operand, best.g)
      free.delete(best.g)
    }
    if (paired.size === 0) return null
    // Operands without a similar partner take the remaining ones, in order.
    for (const operand of mine) {
      const left = [...free][0]
      if (paired.has(operand) || !left) continue
      paired.set(operand, left)
      free.delete(left)
    }
    const pairs = mine.map((pattern, i) => ({ path: String(i), pattern, graph: paired.get(pattern)! }))
    return { pairs: pairs.filter((pair) => pair.graph), faults: [] }
  }

  pair(p: Node, g: Node): Paired {
    let row = this.pairs.get(p)
    if (!row) this.pairs.set(p, (row = new Map()))
    let found = row.get(g)
    if (!found)
      row.set(g, (found = pairArguments(p, g, this.schemaOf, meeting(p, g) !== 'factory', this.pattern.subgraph)))
    return found
  }

  private sum(paired: Paired, budget: number, swapped: boolean): number {
    let sum = 0
    for (const { pattern, graph } of swapped ? swap(paired) : paired.pairs)
      if (pattern instanceof Node && graph instanceof Node) sum += this.value(pattern, graph, budget)
    return sum
  }
}

/** Operators with more operands are compared by position. */
const MAX_OPERANDS = 6

/** Budget and cost of skipping a node. */
export const price = (n: Node): { budget: number; cost: number } =>
  passesThrough(n) || isScaling(n) ? { budget: 1, cost: COST.inserted } : { budget: 2, cost: COST.otherInserted }

const NOTHING: { value: number; step: Step | null } = { value: 0, step: null }

/** Classifies how two nodes run the same operator; null if they do not. */
export function meeting(p: Node, g: Node): 'same' | 'overload' | 'form' | 'functionalization' | 'factory' | null {
  if (hasForms(p) && hasForms(g) && keyOf(p) === keyOf(g))
    return p.op === g.op && p.target === g.target ? 'same' : 'form'
  if (p.op !== g.op) return null
  if (p.op === 'get_attr') return 'same'
  if (isGetitem(p)) return isGetitem(g) ? 'same' : null
  if (isFunctionalized(p) || isFunctionalized(g)) {
    if (keyOf(p) !== keyOf(g)) return null
    if (p.target !== g.target) return 'functionalization'
    return operatorOf(p) === operatorOf(g) ? 'same' : 'overload'
  }
  if (p.target === g.target) return 'same'
  if (p.op === 'call_function' && packetOf(p.target) === packetOf(g.target)) return 'overload'
  return isFactory(p) && isFactory(g) ? 'factory' : null
}

/** The first two operands may be swapped if each side has two. */
const canSwap = ({ pairs }: Paired): boolean =>
  pairs.length >= 2 &&
  isOperand(pairs[0]!.path) &&
  isOperand(pairs[1]!.path) &&
  (pairs[0]!.pattern instanceof Node || pairs[1]!.pattern instanceof Node)
const isOperand = (path: string): boolean => /^\d+$/.test(path) || path === 'self' || path === 'other'

export function swap({ pairs }: Paired): Paired['pairs'] {
  const [a, b, ...rest] = pairs
  if (!a || !b) return pairs
  return [{ ...a, graph: b.graph }, { ...b, graph: a.graph }, ...rest]
}

/** Inputs to continue at, limited to six: lists of buffers and shapes are not followed. */
export const inputsOf = (n: Node): readonly Node[] => {
  const inputs = n.inputs()
  return inputs.length > 6 ? inputs.slice(0, 6) : inputs
}
