/** Causes where one side has an operator and the other side its decomposition. */
import type { Node } from '../../fx'
import type { CauseParts } from '../causes'
import { listed } from '../../base/english'
import { producerOf, termOf } from './node_terms'
import { isNative } from './native'
import { decompositionAt, isComposite } from './operators'

/** An operator on one side and the operators it decomposes into on the other. */
export function decomposition(p: Node, g: Node): CauseParts | null {
  const operator = producerOf(p)
  const theirs = producerOf(g)
  if (isComposite(operator) === isComposite(theirs)) return null
  if (isComposite(theirs)) return decomposedPattern(p, g)
  const parts = g.op === 'call_function' ? decompositionAt(operator, g) : null
  return (
    parts && {
      reason: {
        kind: 'decomposed-in-graph',
        operator,
        custom: !isNative(operator),
        nodes: parts.map((n) => n.name),
      },
      pattern: p,
      graph: g,
      expected: operator,
      found: listed(parts.map((n) => n.target)),
    }
  )
}

/** The operator that the graph has in place of the decomposition that ends at `p` in the pattern; null if there is none. */
export function decomposedPattern(p: Node, g: Node): CauseParts | null {
  const theirs = producerOf(g)
  const parts = decompositionAt(theirs, p)
  return (
    parts && {
      reason: {
        kind: 'decomposed-in-pattern',
        operator: theirs,
        custom: !isNative(theirs),
        node: g.name,
        terms: parts.map(termOf),
        madeBy: madeBy(theirs),
      },
      pattern: p,
      graph: g,
      expected: listed(parts.map((n) => n.target)),
      found: theirs,
    }
  )
}

/** The part of Inductor that creates such an operator before a custom pass sees the graph. */
const madeBy = (operator: string): 'attention-patterns' | 'addmm-patterns' | null =>
  /_scaled_dot_product_/.test(operator)
    ? 'attention-patterns'
    : /^aten\.b?addb?mm\b/.test(operator)
      ? 'addmm-patterns'
      : null
