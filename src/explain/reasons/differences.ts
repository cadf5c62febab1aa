/** Causes of differences between one pattern node and one graph node, as the alignment finds them. */
import { graphOf, Node, type Arg, isGetitem, isSymSize, operatorOf } from '../../fx'
import { constantRepr, constantsEqual } from '../../matcher/constant'
import { constantOf } from '../../matcher/expr/get_attr'
import { pyRepr } from '../../matcher/py'
import type { FormFault, Pair } from '../align/arguments'
import type { CauseParts } from '../causes'
import { listed } from '../../base/english'
import { decomposition } from './decompositions'
import { foundOf, graphValue, operandText, producerOf, short, stageOf, termOf } from './node_terms'
import { isPlainCopy, isViewForReshape, tallied } from './operators'

export const overload = (p: Node, g: Node): CauseParts => ({
  reason: { kind: 'other-overload', node: g.name, expected: operatorOf(p), found: operatorOf(g) },
  pattern: p,
  graph: g,
})

export function functionalization(p: Node, g: Node): CauseParts {
  const form = (n: Node): string => n.target.replace('higher_order.', '')
  const facts = { node: g.name, operator: operatorOf(g), expected: form(p), found: form(g) }
  return { reason: { kind: 'other-functionalization', ...facts }, pattern: p, graph: g }
}

export const factory = (p: Node, g: Node): CauseParts => ({
  reason: { kind: 'other-factory', node: g.name, expected: p.target, found: g.target },
  pattern: p,
  graph: g,
})

export const form = (p: Node, g: Node, { argument, expected, found, reason }: FormFault): CauseParts => ({
  reason: { ...reason, node: g.name },
  pattern: p,
  graph: g,
  argument,
  expected,
  found,
})

/** @param certain the order follows from aligned nodes, not from argument bindings */
export function operandOrder(p: Node, g: Node, [a, b]: readonly [Pair, Pair], certain: boolean): CauseParts {
  const expected = certain ? a.pattern : b.pattern
  return {
    reason: {
      kind: 'operand-order',
      node: g.name,
      graphFirst: graphValue(a.graph),
      patternFirst: expected instanceof Node ? { term: expected.name } : { value: pyRepr(expected) },
    },
    pattern: p,
    graph: g,
    argument: '0, 1',
    expected: `${operandText(a.pattern)}, ${operandText(b.pattern)}`,
    found: `${operandText(a.graph)}, ${operandText(b.graph)}`,
  }
}

/**
 * A branch of torch.cond in both: the matcher compares them by identity. Null for a tensor, and for all branches of a call
 * but the first.
 */
export function branchModule(p: Node, g: Node): CauseParts | null {
  if (!graphOf(p).subgraphs.has(p.target)) return null
  if (![...p.users].some((user) => user.inputs().find((n) => n.op === 'get_attr') === p)) return null
  const operators = [...p.users].map(operatorOf)
  return {
    reason: { kind: 'branch-module', node: g.name, operators: [...new Set(operators)] },
    pattern: p,
    graph: g,
    argument: g.target,
    expected: 'the branch of the search function',
    found: 'the branch of the graph',
    stage: 'initial',
  }
}

/** Tensor constants compare by value. Null if they are equal, or if the graph shows they are not constants. */
export function tensorConstant(p: Node, g: Node): CauseParts | null {
  const [mine, theirs] = [constantOf(p), constantOf(g)]
  if (!mine || !theirs || mine.values === null || constantsEqual(mine, theirs)) return null
  const [expected, found] = [constantRepr(mine), constantRepr(theirs)]
  return {
    reason: { kind: 'tensor-constant', node: g.name, expected, found: theirs.values === null ? null : found },
    pattern: p,
    graph: g,
    argument: g.target,
    found,
    stage: 'initial',
  }
}

export function getitemIndex(p: Node, g: Node, pair: Pair): CauseParts {
  const [expected, found] = [pyRepr(pair.pattern), pyRepr(pair.graph)]
  const reason = { kind: 'item-index', node: g.name, expected, found } as const
  return { reason, pattern: p, graph: g, argument: '1', stage: 'initial' }
}

export function constant(p: Node, g: Node, { path, pattern, graph }: Pair): CauseParts {
  const stage = stageOf(pattern)
  const [expected, found] = [pyRepr(pattern), pyRepr(graph)]
  const reason = { kind: 'constant', node: g.name, argument: path, expected, found, stage } as const
  return { reason, pattern: p, graph: g, stage }
}

/** The graph has a node where the pattern has a constant. */
export function nodeForConstant(p: Node, g: Node, { path, pattern, graph }: Pair): CauseParts {
  const node = graph as Node
  const expected = pyRepr(pattern)
  const base = { pattern: p, argument: path, expected, found: node.name, stage: stageOf(pattern) }
  const facts = { node: g.name, argument: path, expected }
  if (isSymSize(node) || node.meta.val?.kind === 'scalar' || (node.op === 'placeholder' && /\[/.test(path)))
    return {
      ...base,
      reason: { kind: 'symbolic-argument', ...facts, size: node.name },
      graph: node,
    }
  if (isGetitem(node) && pattern === null)
    return {
      ...base,
      reason: {
        kind: 'item-for-none',
        node: g.name,
        argument: path,
        item: node.name,
        index: pyRepr(node.args[1] ?? null),
      },
      graph: node,
    }
  return {
    ...base,
    reason: { kind: 'node-for-constant', ...facts, found: node.name },
    graph: g,
  }
}

/** The graph has a constant where the pattern has a node. */
export function constantForNode(p: Node, g: Arg): CauseParts {
  const found = pyRepr(g)
  const base = { pattern: p, expected: short(p), found }
  return isSymSize(p)
    ? { ...base, reason: { kind: 'literal-size', found } }
    : {
        ...base,
        reason: { kind: 'constant-for-node', expected: p.op === 'get_attr' ? 'tensor-constant' : termOf(p), found },
      }
}

/**
 * @param chain the extra nodes, in graph order
 * @param to the node at which the pattern continues
 */
export function inserted(p: Node, chain: readonly Node[], to: Node): CauseParts {
  const operators = chain.map((n) => n.target)
  const copies = chain.every(isPlainCopy)
  return {
    reason: {
      kind: 'inserted',
      nodes: chain.map((n) => n.name),
      operators: [...new Set(operators)],
      after: to.name,
      softcap: operators.some((o) => /\btanh\b/.test(o)) && operators.length > 1,
      copies,
    },
    pattern: p,
    graph: chain.at(-1)!,
    expected: short(p),
    found: tallied(operators),
    minor: copies,
  }
}

/** @param chain no-ops after `from` on the path to one of a value's two uses */
export function insertedOnOneSide(p: Node, chain: readonly Node[], from: Node): CauseParts {
  const operators = [...new Set(chain.map((n) => n.target))]
  const copies = chain.every(isPlainCopy)
  return {
    reason: { kind: 'inserted-on-one-side', nodes: chain.map((n) => n.name), operators, after: from.name, copies },
    pattern: p,
    graph: chain.at(-1)!,
    expected: from.name,
    found: listed(operators),
    minor: copies,
  }
}

export const missing = (p: Node, g: Node): CauseParts => ({
  reason: { kind: 'missing', expected: termOf(p), after: g.name },
  pattern: p,
  graph: g,
  expected: short(p),
  found: g.name,
})

export const sizeForNode = (p: Node, g: Node): CauseParts => ({
  reason: { kind: 'size-for-node', node: g.name, expected: termOf(p) },
  pattern: p,
  graph: g,
  expected: short(p),
  found: g.name,
})

export function wrongOperator(p: Node, g: Node): CauseParts {
  const decomposed = decomposition(p, g)
  if (decomposed) return decomposed
  const found = foundOf(g)
  return {
    reason: {
      kind: 'other-operator',
      node: g.name,
      found,
      expected: isGetitem(p) && !isGetitem(g) ? { operator: producerOf(p) } : termOf(p),
      viewForReshape: isViewForReshape(p, g),
    },
    pattern: p,
    graph: g,
    expected: isGetitem(p) ? `item ${pyRepr(p.args[1] ?? null)} of ${producerOf(p)}` : operatorOf(p),
    found: 'operator' in found ? found.operator : found.op,
  }
}
