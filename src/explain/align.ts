/** Aligns a pattern with a graph at one anchor and goes on after each difference, telling every one of them. */
import { Node, type Arg } from '../fx'
import { pyEqual, pyRepr } from '../matcher/py'
import type { SchemaLookup } from '../matcher/schema_facts'
import type { Phase } from '../matcher/types'
import { anchorsOf, type GraphIndex } from './anchors'
import { nameOf, type Pair, type Paired } from './arguments'
import { makeCause, type Cause, type CauseParts } from './causes'
import {
  decompositionIn,
  isFunctionalized,
  isGetitem,
  isNative,
  isSymSize,
  listed,
  operatorOf,
  passesThrough,
} from './operators'
import { coneOf, type PatternGraph } from './pattern_graph'
import { BUDGET, price, Similarity, swap, type Step } from './similarity'

export interface Alignment {
  anchor: Node
  /** Pattern node → graph node that runs the same operator. */
  pairs: ReadonlyMap<Node, Node>
  /** Aligned pattern nodes. */
  score: number
  of: number
  causes: Cause[]
  /** Values the pattern's arguments have here. */
  bound: ReadonlyMap<string, Arg>
  /** Outputs of the pattern that the graph has. */
  outputs: number
}

export interface AlignOptions {
  schemaOf: SchemaLookup
  /** `initial`: ints, floats, lists, devices and dtypes are not compared, as in the first stage. */
  stage: Phase
  index: GraphIndex
}

/** Similarities are kept from anchor to anchor: make one for each pattern. */
export class Aligner {
  private readonly similarity: Similarity

  private readonly places = { near: new Map<Node, readonly Node[]>(), far: new Map<Node, readonly Node[]>() }

  constructor(
    readonly pattern: PatternGraph,
    private readonly options: AlignOptions,
  ) {
    this.similarity = new Similarity(pattern, options.schemaOf)
  }

  /** How much of the computation of `output` could align at the node. */
  value(output: Node, node: Node): number {
    return this.similarity.value(output, node)
  }

  align(output: Node, anchor: Node): Alignment {
    return new Walk(this.pattern, this.similarity, this.options, (o) =>
      this.placesOf(o, this.placesOf(o, false).length === 0),
    ).run(output, anchor)
  }

  /** Where an output may have been meant: nodes that run its operator; with `far`, also where its parts lead. */
  placesOf(output: Node, far: boolean): readonly Node[] {
    const kept = far ? this.places.far : this.places.near
    let found = kept.get(output)
    if (!found) kept.set(output, (found = [...anchorsOf(output, this.options.index, far)]))
    return found
  }
}

class Walk {
  private readonly pairs = new Map<Node, Node>()
  /** Graph nodes that stand for a pattern node or between two: no outsiders. */
  private readonly inside = new Set<Node>()
  private readonly bound = new Map<string, Arg>()
  private readonly seen = new Map<Node, Arg>()
  private readonly causes: Cause[] = []
  private unusedOutputs = 0
  private anchor: Node | null = null

  constructor(
    private readonly pattern: PatternGraph,
    private readonly similarity: Similarity,
    private readonly options: AlignOptions,
    private readonly placesOf: (output: Node) => readonly Node[],
  ) {}

  run(output: Node, anchor: Node): Alignment {
    this.anchor = anchor
    this.visit(output, anchor, BUDGET)
    for (const other of this.pattern.outputs) if (!this.seen.has(other)) this.otherOutput(other)
    this.users()
    return {
      anchor,
      pairs: this.pairs,
      score: this.pairs.size,
      of: this.pattern.calls.length,
      causes: this.causes,
      bound: this.bound,
      outputs: this.pattern.outputs.length - this.unusedOutputs,
    }
  }

  private tell(parts: CauseParts): void {
    this.causes.push(makeCause(parts, (p) => this.pattern.indexOf(p)))
  }

  private visit(p: Node, g: Arg, budget: number): void {
    if (p.op === 'placeholder') return this.bind(p, g)
    const before = this.seen.get(p)
    if (before !== undefined) {
      if (!pyEqual(before, g) && g instanceof Node && before instanceof Node) {
        if (this.throughNoOps(p, before, g) || this.inside.has(g)) return
        this.tell({
          kind: 'repeated-argument',
          pattern: p,
          graph: g,
          expected: before.name,
          found: g.name,
          sentence: `the pattern uses one ${short(p)} in two places, the graph has ${before.name} in one and ${g.name} in the other`,
        })
      }
      return
    }
    this.seen.set(p, g)
    if (!(g instanceof Node)) return this.constantForNode(p, g)
    const step = this.similarity.step(p, g, budget)
    if (!step) return this.nothingAligns(p, g)
    if (step.how === 'inserted') {
      this.seen.delete(p)
      this.inside.add(g)
      this.inserted(p, g, step.to)
      return this.visit(p, step.to, budget - price(g).budget)
    }
    if (step.how === 'missing') {
      this.missing(p, g)
      return this.visit(step.to, g, budget - price(p).budget)
    }
    this.inside.add(g)
    if (step.how === 'other') return this.substituted(p, g, step, budget)
    this.meet(p, g, step, budget)
  }

  private meet(p: Node, g: Node, step: Exclude<Step, { how: 'inserted' | 'missing' }>, budget: number): void {
    this.pairs.set(p, g)
    if (p.op === 'get_attr') return this.constants(p, g)
    if (step.how === 'overload')
      this.tell({
        kind: 'wrong-overload',
        pattern: p,
        graph: g,
        expected: operatorOf(p),
        found: operatorOf(g),
        sentence: `${g.name} is ${operatorOf(g)} in the graph, the pattern has the overload ${operatorOf(p)}`,
      })
    if (step.how === 'functionalization')
      this.tell({
        kind: 'functionalization',
        pattern: p,
        graph: g,
        expected: p.target.replace('higher_order.', ''),
        found: g.target.replace('higher_order.', ''),
        sentence: `the graph wraps ${operatorOf(g)} in ${g.target.replace('higher_order.', '')} (${g.name}), the pattern in ${p.target.replace('higher_order.', '')}: they pass buffers in different ways and never match`,
      })
    if (step.how === 'factory') {
      this.tell({
        kind: 'factory',
        pattern: p,
        graph: g,
        expected: p.target,
        found: g.target,
        sentence: `${g.name} is made by ${g.target} in the graph, by ${p.target} in the pattern`,
      })
      return
    }
    for (const f of step.paired.faults)
      this.tell({
        kind: f.kind,
        pattern: p,
        graph: g,
        argument: f.argument,
        expected: f.expected,
        found: f.found,
        sentence: `${g.name}: ${f.text}`,
      })
    this.children(p, g, step.paired, step.swapped || this.bindsSwapped(step.paired), budget, step.swapped)
  }

  /** Tensor constants compare by value. */
  private constants(p: Node, g: Node): void {
    const [mine, theirs] = [JSON.stringify(p.meta.constant), JSON.stringify(g.meta.constant)]
    if (mine === undefined || theirs === undefined || mine === theirs) return
    this.tell({
      kind: 'constant',
      pattern: p,
      graph: g,
      argument: g.target,
      expected: mine,
      found: theirs,
      stage: 'initial',
      sentence: `the tensor constant ${g.name} is ${theirs} in the graph, ${mine} in the pattern`,
    })
  }

  private children(p: Node, g: Node, paired: Paired, swapped: boolean, budget: number, certain: boolean): void {
    if (swapped) {
      const [a, b] = paired.pairs
      this.tell({
        kind: 'operand-order',
        pattern: p,
        graph: g,
        argument: '0, 1',
        expected: `${operand(a!.pattern)}, ${operand(b!.pattern)}`,
        found: `${operand(a!.graph)}, ${operand(b!.graph)}`,
        sentence: `the operands of ${g.name} stand in the other order: ${operand(a!.graph)} comes first in the graph, ${operand(certain ? a!.pattern : b!.pattern)} in the pattern, and the order counts`,
      })
    }
    for (const pair of swapped ? swap(paired) : paired.pairs) this.leaf(p, g, pair, budget)
  }

  private leaf(p: Node, g: Node, pair: Pair, budget: number): void {
    if (pair.pattern instanceof Node) return this.visit(pair.pattern, pair.graph, budget)
    for (const [name, value] of this.pattern.workaround)
      if (pyEqual(value, pair.pattern)) return this.bindName(p, name, pair.graph)
    if (pair.graph instanceof Node) return this.nodeForConstant(p, g, pair)
    if (pyEqual(pair.graph, pair.pattern)) return
    const producer = p.inputs()[0]
    if (isGetitem(p)) {
      if (pair.path !== '1') return
      const from = producer && this.pairs.get(producer)
      if (producer && from && isFunctionalized(producer) && producer.target !== from.target) return
      this.tell({
        kind: 'getitem-index',
        pattern: p,
        graph: g,
        argument: '1',
        expected: pyRepr(pair.pattern),
        found: pyRepr(pair.graph),
        stage: 'initial',
        sentence: `${g.name} takes item ${pyRepr(pair.graph)}, the pattern takes item ${pyRepr(pair.pattern)}`,
      })
      return
    }
    if (pair.path === '0' && isFunctionalized(p)) return
    const stage = stageOf(pair.pattern)
    if (stage === 'specific' && this.options.stage === 'initial') return
    this.tell({
      kind: 'constant',
      pattern: p,
      graph: g,
      argument: pair.path,
      expected: pyRepr(pair.pattern),
      found: pyRepr(pair.graph),
      stage,
      sentence: `${nameOf(pair.path)} of ${g.name} is ${pyRepr(pair.graph)} in the graph, ${pyRepr(pair.pattern)} in the pattern (${stage === 'initial' ? 'compared in the initial stage' : 'compared in the specific stage, once the pattern is traced again with the graph’s shapes'})`,
    })
  }

  private nodeForConstant(p: Node, g: Node, { path, pattern, graph }: Pair): void {
    const node = graph as Node
    if (stageOf(pattern) === 'specific' && this.options.stage === 'initial') return
    if (isSymSize(node) || node.meta.val?.kind === 'scalar' || (node.op === 'placeholder' && /\[/.test(path)))
      return this.tell({
        kind: 'symbolic-shape',
        pattern: p,
        graph: node,
        argument: path,
        expected: pyRepr(pattern),
        found: node.name,
        stage: stageOf(pattern),
        sentence: `${nameOf(path)} of ${g.name} is the symbolic size ${node.name} in the graph, the literal ${pyRepr(pattern)} in the pattern`,
      })
    const index = isGetitem(node) && pattern === null
    this.tell({
      kind: index ? 'getitem-index' : 'constant',
      pattern: p,
      graph: index ? node : g,
      argument: path,
      expected: pyRepr(pattern),
      found: node.name,
      stage: stageOf(pattern),
      sentence: index
        ? `${nameOf(path)} of ${g.name} is ${node.name} (item ${pyRepr(node.args[1] ?? null)}) in the graph, None in the pattern: item 0 of a functionalized call is what the operator itself returns, None for one that only writes`
        : `${nameOf(path)} of ${g.name} is ${node.name} in the graph, ${pyRepr(pattern)} in the pattern`,
    })
  }

  private constantForNode(p: Node, g: Arg): void {
    this.tell({
      kind: isSymSize(p) ? 'symbolic-shape' : 'constant',
      pattern: p,
      expected: short(p),
      found: pyRepr(g),
      sentence: isSymSize(p)
        ? `the graph has the literal size ${pyRepr(g)} where the pattern asks for a symbolic size`
        : `the graph has the constant ${pyRepr(g)} where the pattern has ${p.op === 'get_attr' ? 'a tensor constant' : short(p)}`,
    })
  }

  private inserted(p: Node, g: Node, to: Node): void {
    const last = this.causes.at(-1)
    // A chain of inserted nodes is one cause, told from its last node.
    if (last?.kind === 'inserted-node' && this.chain.at(-1) === g) {
      this.chain.push(to)
      this.chainNodes.push(g)
      this.causes.pop()
    } else {
      this.chain = [to]
      this.chainNodes = [g]
    }
    const names = [...this.chainNodes].reverse().map((n) => n.name)
    const ops = [...this.chainNodes].reverse().map((n) => n.target)
    const softcap = ops.some((o) => /\btanh\b/.test(o)) && ops.length > 1
    this.tell({
      kind: 'inserted-node',
      pattern: p,
      graph: this.chainNodes[0]!,
      expected: short(p),
      found: listed(ops),
      sentence: `the graph has ${listed(names)} (${softcap ? 'a softcap: ' : ''}${listed([...new Set(ops)])}) between ${to.name} and what uses it; the pattern has nothing there`,
    })
  }
  private chain: Node[] = []
  private chainNodes: Node[] = []

  private missing(p: Node, g: Node): void {
    this.tell({
      kind: 'missing-node',
      pattern: p,
      graph: g,
      expected: short(p),
      found: g.name,
      sentence: `the pattern has ${short(p)} after what ${g.name} is in the graph, and the graph has nothing there`,
    })
  }

  private substituted(p: Node, g: Node, step: Exclude<Step, { how: 'inserted' | 'missing' }>, budget: number): void {
    this.wrongOperator(p, g)
    if (step.swapped) for (const pair of swap(step.paired)) this.nodeLeaf(pair, budget)
    else for (const pair of step.paired.pairs) this.nodeLeaf(pair, budget)
  }

  private nodeLeaf({ pattern, graph }: Pair, budget: number): void {
    if (
      pattern instanceof Node &&
      graph instanceof Node &&
      (pattern.op === 'placeholder' || this.similarity.value(pattern, graph, budget - 2) > 0)
    )
      this.visit(pattern, graph, budget - 2)
  }

  private nothingAligns(p: Node, g: Node): void {
    if (isSymSize(p))
      return this.tell({
        kind: 'symbolic-shape',
        pattern: p,
        graph: g,
        expected: short(p),
        found: g.name,
        sentence: `the pattern computes a size with ${short(p)}, the graph has ${g.name} for it: with dynamic shapes the two are different nodes`,
      })
    const from = p.inputs()[0]
    if (passesThrough(p) && from?.op === 'placeholder') {
      this.missing(p, g)
      return this.bind(from, g)
    }
    if (g.op !== 'placeholder') this.inside.add(g)
    this.wrongOperator(p, g)
    // Its arguments stay unbound; what can be said of them would be a guess.
  }

  private wrongOperator(p: Node, g: Node): void {
    const operator = producerOf(p)
    const theirs = producerOf(g)
    if (!isNative(operator) && isNative(theirs) && g.op === 'call_function') {
      const parts = decompositionIn(operator, coneOf(g, 24))
      if (parts)
        return this.tell({
          kind: 'decomposed',
          pattern: p,
          graph: g,
          expected: operator,
          found: listed(parts.map((n) => n.target)),
          sentence: `the pattern has the custom operator ${operator}, the graph its decomposition (${listed(parts.map((n) => n.name))})`,
        })
    }
    if (isNative(operator) && !isNative(theirs)) {
      const parts = decompositionIn(theirs, coneOf(p, 24))
      if (parts)
        return this.tell({
          kind: 'decomposed',
          pattern: p,
          graph: g,
          expected: listed(parts.map((n) => n.target)),
          found: theirs,
          sentence: `the graph has the custom operator ${theirs} (${g.name}), the pattern its decomposition (${listed(parts.map((n) => short(n)))})`,
        })
    }
    this.tell({
      kind: 'wrong-operator',
      pattern: p,
      graph: g,
      expected: isGetitem(p) ? `item ${pyRepr(p.args[1] ?? null)} of ${operator}` : operatorOf(p),
      found: g.op === 'call_function' ? operatorOf(g) : g.op,
      sentence: `${g.name} is ${g.op === 'call_function' ? operatorOf(g) : `a ${g.op}`} in the graph, the pattern has ${isGetitem(p) && !isGetitem(g) ? operator : short(p)} there`,
    })
  }

  private bind(p: Node, g: Arg): void {
    this.bindName(p, this.pattern.argNames.get(p)!, g)
  }

  private bindName(p: Node, name: string, g: Arg): void {
    const before = this.bound.get(name)
    if (before === undefined) {
      if (this.pattern.exclusive.has(name)) {
        const rival = [...this.bound].find(([k, v]) => this.pattern.exclusive.has(k) && pyEqual(v, g))
        if (rival)
          this.tell({
            kind: 'exclusive-argument',
            pattern: p,
            graph: g instanceof Node ? g : null,
            argument: name,
            expected: `another value than ${rival[0]}’s`,
            found: pyRepr(g),
            sentence: `the arguments ${rival[0]} and ${name} are exclusive, and both are ${pyRepr(g)} in the graph`,
          })
      }
      this.bound.set(name, g)
      return
    }
    if (pyEqual(before, g)) return
    if (this.throughNoOps(p, before, g)) return
    const scalar = this.pattern.workaround.has(name)
    this.tell({
      kind: scalar ? 'kwarg-conflict' : 'repeated-argument',
      pattern: p,
      graph: g instanceof Node ? g : null,
      argument: name,
      expected: pyRepr(before),
      found: pyRepr(g),
      sentence: scalar
        ? `the argument ${name} stands for two values: ${pyRepr(before)} in one place and ${pyRepr(g)} in another`
        : `the pattern uses its argument ${name} twice, the graph has ${pyRepr(before)} in one place and ${pyRepr(g)} in the other`,
    })
  }

  /** Tells of the no-ops between two graph values where the pattern has one; false when there is more between them. */
  private throughNoOps(p: Node, a: Arg, b: Arg): boolean {
    if (!(a instanceof Node) || !(b instanceof Node)) return false
    const [from, to] = a.isBefore(b) ? [a, b] : [b, a]
    const chain: Node[] = []
    for (let n: Node | undefined = to; n && n !== from; n = n.inputs()[0]) {
      if (!passesThrough(n) || chain.length > 5) return false
      chain.unshift(n)
    }
    if (chain.length === 0 || !chain[0]!.inputs().includes(from)) return false
    const ops = listed([...new Set(chain.map((n) => n.target))])
    chain.forEach((n) => this.inside.add(n))
    this.tell({
      kind: 'inserted-node',
      pattern: p,
      graph: chain.at(-1)!,
      expected: from.name,
      found: ops,
      sentence: `the graph has ${listed(chain.map((n) => n.name))} (${ops}) after ${from.name} in one place and not in the other; the pattern uses one value in both`,
    })
    return true
  }

  /** True when the operands contradict what the arguments are bound to, and would not in the other order. */
  private bindsSwapped({ pairs }: Paired): boolean {
    const [a, b] = pairs
    if (!a || !b || !/^(0|self)$/.test(a.path) || !/^(1|other)$/.test(b.path)) return false
    const clash = (p: Arg, g: Arg): number => {
      if (!(p instanceof Node)) return 0
      const before = p.op === 'placeholder' ? this.bound.get(this.pattern.argNames.get(p)!) : this.seen.get(p)
      return before === undefined ? 0 : pyEqual(before, g) ? -1 : 1
    }
    const direct = [clash(a.pattern, a.graph), clash(b.pattern, b.graph)]
    const crossed = [clash(a.pattern, b.graph), clash(b.pattern, a.graph)]
    return direct.includes(1) && !crossed.includes(1) && crossed.includes(-1)
  }

  /**
   * An output after the first: the place most like it among the nearest ones, which must share with the match what
   * the pattern's outputs share.
   */
  private otherOutput(output: Node): void {
    if (this.seen.has(output)) return
    const cone = coneOf(output)
    const shared = cone.filter((p) => this.pairs.has(p)).map((p) => this.pairs.get(p)!)
    const inputs = cone
      .filter((p) => p.op === 'placeholder')
      .map((p) => this.bound.get(this.pattern.argNames.get(p)!))
      .filter((g) => g instanceof Node)
    let best: { node: Node; value: number } | null = null
    const size = this.pattern.sizeOf(output)
    for (const node of this.near(this.placesOf(output))) {
      if (this.inside.has(node)) continue
      const value = this.similarity.value(output, node)
      if (value + 0.5 < size * 0.4 || value <= (best?.value ?? 0) - 0.5) continue
      const under = new Set(coneOf(node, 120))
      if (shared.length > 0 && !shared.some((g) => under.has(g))) continue
      const bonus = inputs.length > 0 && inputs.every((g) => under.has(g)) ? 0.5 : 0
      if (value > 0 && value + bonus >= size * 0.4 && value + bonus > (best?.value ?? 0))
        best = { node, value: value + bonus }
    }
    best ??= this.sameInputs(output)
    if (best) return this.visit(output, best.node, BUDGET)
    this.unusedOutputs++
    this.seen.set(output, output)
    const producer = isGetitem(output) ? this.pairs.get(output.inputs()[0]!) : undefined
    const position = this.pattern.outputs.indexOf(output)
    this.tell({
      kind: 'output-unused',
      pattern: output,
      graph: producer ?? null,
      argument: String(position),
      expected: short(output),
      found: 'nothing',
      sentence: producer
        ? `the pattern returns item ${pyRepr(output.args[1] ?? null)} of ${operatorOf(output.inputs()[0]!)}, which the graph never takes from ${producer.name}`
        : `the pattern’s output ${position} (${short(output)}) has no counterpart in the graph`,
    })
  }

  /** The places nearest to the anchor, nearest first. */
  private near(places: readonly Node[]): readonly Node[] {
    const at = this.anchor!.sortKey
    return [...places].sort((a, b) => Math.abs(a.sortKey - at) - Math.abs(b.sortKey - at)).slice(0, 24)
  }

  /** Another operator on all that the output is computed from. */
  private sameInputs(output: Node): { node: Node; value: number } | null {
    const partners = output
      .inputs()
      .map((p) => (p.op === 'placeholder' ? this.bound.get(this.pattern.argNames.get(p)!) : this.pairs.get(p)))
    const first = partners[0]
    if (!(first instanceof Node) || (partners.length < 2 && output.args.length < 2)) return null
    const node = [...first.users].find((u) => {
      const theirs = u.inputs()
      return (
        !this.inside.has(u) &&
        theirs.length === partners.length &&
        theirs.every((g, i) => g === partners[i]) &&
        u.args.length === output.args.length
      )
    })
    return node ? { node, value: 0 } : null
  }

  /** Values inside the match that something outside it uses. */
  private users(): void {
    for (const [p, g] of this.pairs) {
      if (this.pattern.outputs.includes(p) || g.users.size === p.users.size) continue
      const outside = [...g.users].filter((u) => !this.inside.has(u))
      const unmet = [...p.users].filter((u) => !this.pairs.has(u) && u.op !== 'output')
      if (g.users.size < p.users.size) {
        if (this.unusedOutputs === 0 && outside.length === 0 && unmet.length === 0)
          this.tell({
            kind: 'structure',
            pattern: p,
            graph: g,
            expected: `${p.users.size} users`,
            found: `${g.users.size} users`,
            sentence: `${g.name} is used ${g.users.size === 1 ? 'once' : `${g.users.size} times`} in the graph, ${p.users.size} times in the pattern: the graph shares what the pattern computes twice`,
          })
        continue
      }
      if (outside.length === 0) continue
      const dead = outside.filter((u) => u.users.size === 0 && u.op !== 'output' && !/_\.|_$|copy_/.test(u.target))
      const names = outside.map((u) =>
        u.op === 'output' ? 'the graph’s output' : u.op === 'call_function' ? `${u.name} (${operatorOf(u)})` : u.name,
      )
      this.tell({
        kind: 'escaping-intermediate',
        pattern: p,
        graph: g,
        expected: `${p.users.size} ${p.users.size === 1 ? 'user' : 'users'}`,
        found: outside.map((u) => u.name).join(', '),
        sentence: `${g.name} is inside the match, and ${listed(names)} outside it ${outside.length === 1 ? 'uses' : 'use'} it too${dead.length > 0 ? ` (${listed(dead.map((d) => d.name))} ${dead.length === 1 ? 'is' : 'are'} dead code, which counts)` : ''}; return it from the pattern to allow that`,
      })
    }
  }
}

/** bool, None, str and operators are exact in the first stage already. */
const stageOf = (value: Arg): Phase =>
  typeof value === 'bigint' ||
  typeof value === 'number' ||
  Array.isArray(value) ||
  (typeof value === 'object' &&
    value !== null &&
    'kind' in value &&
    (value.kind === 'dtype' || value.kind === 'device'))
    ? 'specific'
    : 'initial'

const producerOf = (n: Node): string => {
  let at = n
  while (isGetitem(at) && at.inputs()[0]) at = at.inputs()[0]!
  return operatorOf(at)
}

const short = (p: Node): string =>
  isGetitem(p)
    ? `item ${pyRepr(p.args[1] ?? null)} of ${producerOf(p)}`
    : p.op === 'placeholder'
      ? p.name
      : operatorOf(p)
const operand = (a: Arg): string => (a instanceof Node ? a.name : pyRepr(a))
