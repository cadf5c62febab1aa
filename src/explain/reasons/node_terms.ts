/** Describes nodes and arguments for causes. */
import { Node, type Arg, isGetitem, operatorOf } from '../../fx'
import { pyRepr } from '../../matcher/py'
import type { Phase } from '../../matcher/types'
import type { GraphValue, PatternTerm } from './reason'
import { termText } from './terms'

/** The node's operator, or its op (`placeholder`). */
export const foundOf = (g: Node): { operator: string } | { op: string } =>
  g.op === 'call_function' ? { operator: operatorOf(g) } : { op: g.op }

/** Stage one already compares bool, None, str and operators exactly. */
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

export const producerOf = (n: Node): string => {
  let at = n
  while (isGetitem(at) && at.inputs()[0]) at = at.inputs()[0]!
  return operatorOf(at)
}

/** The term for a pattern node in a cause. */
export const termOf = (p: Node): PatternTerm =>
  isGetitem(p)
    ? { operator: producerOf(p), item: pyRepr(p.args[1] ?? null) }
    : p.op === 'placeholder'
      ? { argument: p.name }
      : { operator: operatorOf(p) }

/** A short description of a pattern node. */
export const short = (p: Node): string => termText(termOf(p))

export const graphValue = (a: Arg): GraphValue => (a instanceof Node ? { node: a.name } : { value: pyRepr(a) })

export const operandText = (a: Arg): string => (a instanceof Node ? a.name : pyRepr(a))
