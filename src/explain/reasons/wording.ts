/** What the alignment says of each difference: the kind, both sides, and one plain sentence. */
import { Node, type Arg } from '../../fx'
import { constantRepr, constantsEqual } from '../../matcher/constant'
import { constantOf } from '../../matcher/expr/get_attr'
import { pyRepr } from '../../matcher/py'
import type { Phase } from '../../matcher/types'
import { nameOf, type FormFault, type Pair } from '../align/arguments'
import type { CauseParts } from '../causes'
import { listed } from '../../base/english'
import {
  decompositionAt,
  isComposite,
  isGetitem,
  isNative,
  isPlainCopy,
  isSymSize,
  operatorOf,
  packetOf,
  tallied,
} from './operators'

export const overload = (p: Node, g: Node): CauseParts => ({
  kind: 'wrong-overload',
  pattern: p,
  graph: g,
  expected: operatorOf(p),
  found: operatorOf(g),
  sentence: `${g.name} is ${operatorOf(g)} in the graph, the pattern has the overload ${operatorOf(p)}`,
})

export function functionalization(p: Node, g: Node): CauseParts {
  const [expected, found] = [p, g].map((n) => n.target.replace('higher_order.', ''))
  return {
    kind: 'functionalization',
    pattern: p,
    graph: g,
    expected: expected!,
    found: found!,
    sentence: `the graph wraps ${operatorOf(g)} in ${found} (${g.name}), the pattern in ${expected}: they pass buffers in different ways and never match`,
  }
}

export const factory = (p: Node, g: Node): CauseParts => ({
  kind: 'factory',
  pattern: p,
  graph: g,
  expected: p.target,
  found: g.target,
  sentence: `${g.name} is made by ${g.target} in the graph, by ${p.target} in the pattern`,
})

export const form = (p: Node, g: Node, f: FormFault): CauseParts => ({
  kind: f.kind,
  pattern: p,
  graph: g,
  argument: f.argument,
  expected: f.expected,
  found: f.found,
  sentence: `${g.name}: ${f.text}`,
})

/** @param certain the order is known from what aligns, not from what the arguments are bound to */
export function operandOrder(p: Node, g: Node, [a, b]: readonly [Pair, Pair], certain: boolean): CauseParts {
  return {
    kind: 'operand-order',
    pattern: p,
    graph: g,
    argument: '0, 1',
    expected: `${operand(a.pattern)}, ${operand(b.pattern)}`,
    found: `${operand(a.graph)}, ${operand(b.graph)}`,
    sentence: `the operands of ${g.name} stand in the other order: ${operand(a.graph)} comes first in the graph, ${operand(certain ? a.pattern : b.pattern)} in the pattern, and the order counts`,
  }
}

/** Tensor constants compare by value. Null where they are equal, or no constants by what the graph says. */
export function tensorConstant(p: Node, g: Node): CauseParts | null {
  const [mine, theirs] = [constantOf(p), constantOf(g)]
  if (!mine || !theirs || mine.values === null || constantsEqual(mine, theirs)) return null
  const [expected, found] = [constantRepr(mine), constantRepr(theirs)]
  return {
    kind: 'constant',
    pattern: p,
    graph: g,
    argument: g.target,
    expected,
    found,
    stage: 'initial',
    sentence:
      theirs.values === null
        ? `the values of the tensor constant ${g.name} are not in the dump of the graph: without them it equals no constant of a pattern`
        : `the tensor constant ${g.name} is ${found} in the graph, ${expected} in the pattern`,
  }
}

export const getitemIndex = (p: Node, g: Node, { pattern, graph }: Pair): CauseParts => ({
  kind: 'getitem-index',
  pattern: p,
  graph: g,
  argument: '1',
  expected: pyRepr(pattern),
  found: pyRepr(graph),
  stage: 'initial',
  sentence: `${g.name} takes item ${pyRepr(graph)}, the pattern takes item ${pyRepr(pattern)}`,
})

export function constant(p: Node, g: Node, { path, pattern, graph }: Pair): CauseParts {
  const stage = stageOf(pattern)
  return {
    kind: 'constant',
    pattern: p,
    graph: g,
    argument: path,
    expected: pyRepr(pattern),
    found: pyRepr(graph),
    stage,
    sentence: `${nameOf(path)} of ${g.name} is ${pyRepr(graph)} in the graph, ${pyRepr(pattern)} in the pattern (${stage === 'initial' ? 'compared in the initial stage' : 'compared in the specific stage, once the pattern is traced again with the graph’s shapes'})`,
  }
}

/** The graph has a node where the pattern has a constant. */
export function nodeForConstant(p: Node, g: Node, { path, pattern, graph }: Pair): CauseParts {
  const node = graph as Node
  const stage = stageOf(pattern)
  const expected = pyRepr(pattern)
  if (isSymSize(node) || node.meta.val?.kind === 'scalar' || (node.op === 'placeholder' && /\[/.test(path)))
    return {
      kind: 'symbolic-shape',
      pattern: p,
      graph: node,
      argument: path,
      expected,
      found: node.name,
      stage,
      sentence: `${nameOf(path)} of ${g.name} is the symbolic size ${node.name} in the graph, the literal ${expected} in the pattern`,
    }
  const index = isGetitem(node) && pattern === null
  return {
    kind: index ? 'getitem-index' : 'constant',
    pattern: p,
    graph: index ? node : g,
    argument: path,
    expected,
    found: node.name,
    stage,
    sentence: index
      ? `${nameOf(path)} of ${g.name} is ${node.name} (item ${pyRepr(node.args[1] ?? null)}) in the graph, None in the pattern: item 0 of a functionalized call is what the operator itself returns, None for one that only writes`
      : `${nameOf(path)} of ${g.name} is ${node.name} in the graph, ${expected} in the pattern`,
  }
}

/** The graph has a constant where the pattern has a node. */
export const constantForNode = (p: Node, g: Arg): CauseParts => ({
  kind: isSymSize(p) ? 'symbolic-shape' : 'constant',
  pattern: p,
  expected: short(p),
  found: pyRepr(g),
  sentence: isSymSize(p)
    ? `the graph has the literal size ${pyRepr(g)} where the pattern asks for a symbolic size`
    : `the graph has the constant ${pyRepr(g)} where the pattern has ${p.op === 'get_attr' ? 'a tensor constant' : short(p)}`,
})

/** @param chain the extra nodes, in the order of the graph  @param to what the pattern goes on at */
export function inserted(p: Node, chain: readonly Node[], to: Node): CauseParts {
  const ops = chain.map((n) => n.target)
  const softcap = ops.some((o) => /\btanh\b/.test(o)) && ops.length > 1
  return {
    kind: 'inserted-node',
    pattern: p,
    graph: chain.at(-1)!,
    expected: short(p),
    found: tallied(ops),
    sentence: `the graph has ${listed(chain.map((n) => n.name))} (${softcap ? 'a softcap: ' : ''}${listed([...new Set(ops)])}) between ${to.name} and what uses it; the pattern has nothing there${copies(chain)}`,
    minor: chain.every(isPlainCopy),
  }
}

/** Why the pattern has no such copy, though its source may. */
const copies = (chain: readonly Node[]): string =>
  chain.every(isPlainCopy) ? ' (tracing a pattern drops copies that change nothing)' : ''

/** @param chain no-ops after `from`, through which one of two uses of a value goes */
export function insertedOnOneSide(p: Node, chain: readonly Node[], from: Node): CauseParts {
  const ops = listed([...new Set(chain.map((n) => n.target))])
  return {
    kind: 'inserted-node',
    pattern: p,
    graph: chain.at(-1)!,
    expected: from.name,
    found: ops,
    minor: chain.every(isPlainCopy),
    sentence: `the graph has ${listed(chain.map((n) => n.name))} (${ops}) after ${from.name} in one place and not in the other; the pattern uses one value in both${copies(chain)}`,
  }
}

export const missing = (p: Node, g: Node): CauseParts => ({
  kind: 'missing-node',
  pattern: p,
  graph: g,
  expected: short(p),
  found: g.name,
  sentence: `the pattern has ${short(p)} after what ${g.name} is in the graph, and the graph has nothing there`,
})

export const sizeForNode = (p: Node, g: Node): CauseParts => ({
  kind: 'symbolic-shape',
  pattern: p,
  graph: g,
  expected: short(p),
  found: g.name,
  sentence: `the pattern computes a size with ${short(p)}, the graph has ${g.name} for it: with dynamic shapes the two are different nodes`,
})

export function wrongOperator(p: Node, g: Node): CauseParts {
  const decomposed = decomposition(p, g)
  if (decomposed) return decomposed
  const theirs = g.op === 'call_function' ? operatorOf(g) : null
  return {
    kind: 'wrong-operator',
    pattern: p,
    graph: g,
    expected: isGetitem(p) ? `item ${pyRepr(p.args[1] ?? null)} of ${producerOf(p)}` : operatorOf(p),
    found: theirs ?? g.op,
    sentence: `${g.name} is ${theirs ?? `a ${g.op}`} in the graph, the pattern has ${isGetitem(p) && !isGetitem(g) ? producerOf(p) : short(p)} there${neverTraced(p, g)}`,
  }
}

/** Where no search function traces to what the graph has. */
const neverTraced = (p: Node, g: Node): string =>
  packetOf(p.target) === 'aten.view' && packetOf(g.target) === 'aten.reshape'
    ? ': Inductor makes reshape of every view before its post-grad passes, and tracing a pattern makes view of every reshape, so a search function with either never matches there'
    : ''

/** An operator on one side and the operators it decomposes into on the other. */
function decomposition(p: Node, g: Node): CauseParts | null {
  const operator = producerOf(p)
  const theirs = producerOf(g)
  if (isComposite(operator) === isComposite(theirs)) return null
  if (isComposite(theirs)) return decomposedPattern(p, g)
  const parts = g.op === 'call_function' ? decompositionAt(operator, g) : null
  return (
    parts && {
      kind: 'decomposed',
      pattern: p,
      graph: g,
      expected: operator,
      found: listed(parts.map((n) => n.target)),
      sentence: `the pattern has ${custom(operator)}, the graph its decomposition (${listed(parts.map((n) => n.name))})`,
    }
  )
}

/** The graph has one operator for what the pattern writes out up to `p`; null where it does not. */
export function decomposedPattern(p: Node, g: Node): CauseParts | null {
  const theirs = producerOf(g)
  const parts = decompositionAt(theirs, p)
  return (
    parts && {
      kind: 'decomposed',
      pattern: p,
      graph: g,
      expected: listed(parts.map((n) => n.target)),
      found: theirs,
      sentence: `the graph has ${custom(theirs)} (${g.name}), the pattern its decomposition (${listed(parts.map((n) => short(n)))})${madeBy(theirs)}`,
    }
  )
}

const custom = (operator: string): string => (isNative(operator) ? operator : `the custom operator ${operator}`)

/** What of Inductor makes such an operator before a custom pass sees the graph. */
const madeBy = (operator: string): string =>
  /_scaled_dot_product_/.test(operator)
    ? ': Inductor’s own attention patterns run before custom passes, unless the model calls it itself'
    : /^aten\.b?addb?mm\b/.test(operator)
      ? ': Inductor joins a product and a sum before custom passes run'
      : ''

/** bool, None, str and operators are exact in the first stage already. */
export const stageOf = (value: Arg): Phase =>
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

/** A pattern node in a few words. */
export const short = (p: Node): string =>
  isGetitem(p)
    ? `item ${pyRepr(p.args[1] ?? null)} of ${producerOf(p)}`
    : p.op === 'placeholder'
      ? p.name
      : operatorOf(p)
const operand = (a: Arg): string => (a instanceof Node ? a.name : pyRepr(a))
