/** Aligns a pattern with a graph at one anchor and reports every difference. */
import { Node, type Arg, isGetitem, isSymSize, isFunctionalized, packetOf } from '../../fx'
import { anchorsOf } from './anchors'
import type { PatternGraph } from './pattern_graph'
import { Similarity, BUDGET, price, swap, type Step } from './similarity'
import { type AlignOptions, type Alignment, Progress } from './alignment'
import { pyEqual } from '../../matcher/py'
import type { Phase } from '../../matcher/types'
import type { CauseParts } from '../causes'
import { kindOf } from '../kinds'
import type { Pair, Paired } from './arguments'
import { bind, bindsSwapped, reportOtherValue, reportSecondNode } from './bindings'
import { isViewForReshape, passesThrough } from '../reasons/operators'
import { nodeOfOutput, reportUnusedOutput } from './outputs'
import { otherCall, reportSharedValues, sameLiteral } from './subgraph_rules'
import { reportUsers } from './users'
import * as differences from '../reasons/differences'
import { stageOf } from '../reasons/node_terms'
import { listed } from '../../base/english'

export type { AlignOptions, Alignment } from './alignment'

/** Caches similarities across anchors: create one aligner per pattern. */
export class Aligner {
  private readonly similarity: Similarity

  private readonly places = { near: new Map<Node, readonly Node[]>(), far: new Map<Node, readonly Node[]>() }

  constructor(
    readonly pattern: PatternGraph,
    private readonly options: AlignOptions,
  ) {
    this.similarity = new Similarity(pattern, options.schemaOf)
  }

  /** Number of nodes in the computation of `output` that could align at the node. */
  value(output: Node, node: Node): number {
    return this.similarity.value(output, node)
  }

  align(output: Node, anchor: Node): Alignment {
    return new AlignmentWalk(this.pattern, this.similarity, this.options.stage, anchor).run(output, (o) =>
      this.placesOf(o, this.placesOf(o, false).length === 0),
    )
  }

  private anchors(output: Node, far: boolean): readonly Node[] {
    const { index, free } = this.options
    const all = [...anchorsOf(output, index, far)]
    return free ? all.filter((n) => free(n)) : all
  }

  /** Candidate nodes for an output: nodes that run its operator; with `far`, also nodes reached from its parts. */
  placesOf(output: Node, far: boolean): readonly Node[] {
    const kept = far ? this.places.far : this.places.near
    let found = kept.get(output)
    if (!found) kept.set(output, (found = this.anchors(output, far)))
    return found
  }
}

/** A step that compares the two nodes, whatever their operators. */
type Meeting = Exclude<Step, { how: 'inserted' | 'missing' }>

/** Walks a pattern and a graph side by side, choosing the steps that align most nodes. */
class AlignmentWalk {
  private readonly at: Progress
  /** The most recently reported extra nodes, latest first, and the node at which the pattern continues. */
  private chain: { nodes: Node[]; to: Node } | null = null

  constructor(
    pattern: PatternGraph,
    private readonly similarity: Similarity,
    stage: Phase,
    anchor: Node,
  ) {
    this.at = new Progress(pattern, stage, anchor)
  }

  run(output: Node, placesOf: (output: Node) => readonly Node[]): Alignment {
    const { at } = this
    this.visit(output, at.anchor, BUDGET)
    for (const other of at.pattern.outputs) {
      if (at.seen.has(other)) continue
      const place = nodeOfOutput(at, other, placesOf(other), this.similarity)
      if (place) this.visit(other, place, BUDGET)
      else reportUnusedOutput(at, other)
    }
    reportUsers(at)
    if (at.pattern.subgraph) reportSharedValues(at)
    return {
      anchor: at.anchor,
      pairs: at.pairs,
      score: at.pairs.size,
      of: at.pattern.calls.length,
      causes: at.causes,
      bound: at.bound,
      outputs: at.pattern.outputs.length - at.unusedOutputs,
    }
  }

  private visit(p: Node, g: Arg, budget: number): void {
    const { at } = this
    if (p.op === 'placeholder') return bind(at, p, at.nameOf(p), g)
    const before = at.seen.get(p)
    if (before !== undefined) {
      if (!pyEqual(before, g) && g instanceof Node && before instanceof Node) reportSecondNode(at, p, before, g)
      return
    }
    at.seen.set(p, g)
    const rules = at.pattern.subgraph
    if (!(g instanceof Node)) return rules?.ignoreLiterals ? undefined : at.addCause(differences.constantForNode(p, g))
    const step = this.similarity.step(p, g, budget)
    if (!step) return this.nothingAligns(p, g)
    if (step.how === 'inserted') {
      at.seen.delete(p)
      at.inside.add(g)
      this.inserted(p, g, step.to)
      return this.visit(p, step.to, budget - price(g).budget)
    }
    if (step.how === 'missing') {
      at.addCause(differences.missing(p, g))
      return this.visit(step.to, g, budget - price(p).budget)
    }
    at.inside.add(g)
    if (step.how === 'other') return this.substituted(p, g, step, budget)
    this.meet(p, g, step, budget)
  }

  private meet(p: Node, g: Node, step: Meeting, budget: number): void {
    const { at } = this
    at.pairs.set(p, g)
    if (p.op === 'get_attr') {
      if (at.pattern.subgraph) return
      const other = differences.branchModule(p, g) ?? differences.tensorConstant(p, g)
      if (other) at.addCause(other)
      return
    }
    if (step.how === 'form') at.addCause(otherCall(p, g) ?? differences.wrongOperator(p, g))
    if (step.how === 'overload') at.addCause(differences.overload(p, g))
    if (step.how === 'functionalization') at.addCause(differences.functionalization(p, g))
    if (step.how === 'factory') return at.addCause(differences.factory(p, g))
    for (const fault of step.paired.faults) at.addCause(differences.form(p, g, fault))
    const swapped = step.swapped || bindsSwapped(at, step.paired)
    const [a, b] = step.paired.pairs
    if (swapped && a && b) at.addCause(differences.operandOrder(p, g, [a, b], step.swapped))
    for (const pair of swapped ? swap(step.paired) : step.paired.pairs) this.leaf(p, g, pair, budget)
  }

  private leaf(p: Node, g: Node, pair: Pair, budget: number): void {
    const { at } = this
    if (pair.pattern instanceof Node) {
      if (reportOtherValue(at, [p, g], pair)) return
      return this.visit(pair.pattern, pair.graph, budget)
    }
    const rules = at.pattern.subgraph
    if (rules?.ignoreLiterals) return
    for (const [name, value] of at.pattern.workaround)
      if (pyEqual(value, pair.pattern)) return bind(at, p, name, pair.graph)
    // Ints, floats, lists, devices and dtypes are not compared in stage one.
    const fixed = typeof pair.pattern === 'number' && at.pattern.fixedFloats?.has(p)
    const later = at.stage === 'initial' && stageOf(pair.pattern) === 'specific' && !fixed
    if (pair.graph instanceof Node) return later ? undefined : at.addCause(differences.nodeForConstant(p, g, pair))
    if ((rules ? sameLiteral : pyEqual)(pair.graph, pair.pattern)) return
    if (isGetitem(p)) {
      if (pair.path === '1' && !this.rewrapped(p)) at.addCause(differences.getitemIndex(p, g, pair))
      return
    }
    if (later || (pair.path === '0' && isFunctionalized(p))) return
    at.addCause(differences.constant(p, g, pair))
  }

  /** True if the item's call is functionalized by the other version, which numbers its items differently. */
  private rewrapped(item: Node): boolean {
    const producer = item.inputs()[0]
    const from = producer && this.at.pairs.get(producer)
    return !!producer && !!from && isFunctionalized(producer) && producer.target !== from.target
  }

  /** A chain of inserted nodes is one cause, at its last node. */
  private inserted(p: Node, g: Node, to: Node): void {
    const goesOn = this.chain?.to === g && this.at.causes.at(-1)?.kind === 'inserted-node'
    if (goesOn) this.at.causes.pop()
    this.chain = { nodes: [...(goesOn ? this.chain!.nodes : []), g], to }
    const cause = differences.inserted(p, [...this.chain.nodes].reverse(), to)
    this.at.addCause(cause)
  }

  private substituted(p: Node, g: Node, step: Meeting, budget: number): void {
    const cause = this.otherOperator(p, g)
    this.at.addCause(cause)
    // One operator corresponds to several: the nodes before it have no counterpart on the other side.
    if (kindOf(cause.reason) === 'decomposed') return
    for (const pair of step.swapped ? swap(step.paired) : step.paired.pairs) this.nodeLeaf(pair, budget)
  }

  private nodeLeaf({ pattern, graph }: Paired['pairs'][number], budget: number): void {
    if (
      pattern instanceof Node &&
      graph instanceof Node &&
      (pattern.op === 'placeholder' || this.similarity.value(pattern, graph, budget - 2) > 0)
    )
      this.visit(pattern, graph, budget - 2)
  }

  /** The pattern's arguments stay unbound: any cause about them would be a guess. */
  private nothingAligns(p: Node, g: Node): void {
    const { at } = this
    if (isSymSize(p)) return at.addCause(differences.sizeForNode(p, g))
    const [from, ...others] = p.inputs()
    if (isViewForReshape(p, g)) {
      at.inside.add(g)
      at.addCause(differences.wrongOperator(p, g))
      const value = g.inputs()[0]
      return from && value && from.op === 'placeholder' ? bind(at, from, at.nameOf(from), value) : undefined
    }
    const unary = others.length === 0 && g.op === 'placeholder'
    if ((passesThrough(p) || unary) && from?.op === 'placeholder') {
      at.addCause(differences.missing(p, g))
      return bind(at, from, at.nameOf(from), g)
    }
    if (g.op !== 'placeholder') at.inside.add(g)
    at.addCause(this.otherOperator(p, g))
  }

  private otherOperator(p: Node, g: Node): CauseParts {
    const found = this.at.pattern.subgraph ? otherCall(p, g) : catWithCopy(p, g)
    return found ?? differences.wrongOperator(p, g)
  }
}

/** The form in which tracing records the concatenation of a value with itself, starting from the last call. */
const REPEATED = ['aten.view', 'aten.clone', 'aten.expand', 'aten.unsqueeze']

/**
 * Handles a pattern that concatenates a value with itself where the graph concatenates the value with a moved or cast
 * copy: reports the copy's nodes as extra. Returns null for anything else.
 */
function catWithCopy(p: Node, g: Node): CauseParts | null {
  if (packetOf(g.target) !== 'aten.cat' || !repeats(p)) return null
  const items = g.inputs()
  if (items.length < 2) return null
  const ways = items.map(wayUp)
  const common = ways[0]!.find((n) => ways.every((way) => way.includes(n)))
  if (!common) return null
  const extra = ways.flatMap((way) => way.slice(0, way.indexOf(common))).reverse()
  if (extra.length === 0) return null
  const operators = [...new Set(extra.map((n) => n.target))]
  return {
    reason: { kind: 'cat-with-copy', node: g.name, nodes: extra.map((n) => n.name), operators },
    pattern: p,
    graph: extra.at(-1)!,
    expected: common.name,
    found: listed(operators),
  }
}

function repeats(p: Node): boolean {
  let at: Node | undefined = p
  for (const packet of REPEATED) {
    if (!at || packetOf(at.target) !== packet) return false
    at = at.inputs()[0]
  }
  return true
}

/** The node and its producers, as long as each only passes its value through. */
function wayUp(node: Node): Node[] {
  const way = [node]
  for (let n = node; passesThrough(n) && way.length < 8;) {
    const from = n.inputs()[0]
    if (!(from instanceof Node)) break
    way.push((n = from))
  }
  return way
}
