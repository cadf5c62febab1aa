/** Message parts for the values, operators and arguments that causes name. */
import { code, listedParts, message, node, operator, type Message, type MessagePart } from '../../base/message'
import type { GraphValue, PatternTerm } from './reason'

export const termText = (term: PatternTerm): string =>
  'argument' in term ? term.argument : term.item === undefined ? term.operator : `item ${term.item} of ${term.operator}`

export function termMessage(term: PatternTerm): Message {
  if ('argument' in term) return [code(term.argument)]
  return term.item === undefined
    ? [operator(term.operator)]
    : message`item ${code(term.item)} of ${operator(term.operator)}`
}

export const valuePart = (value: GraphValue): MessagePart => ('node' in value ? node(value.node) : code(value.value))
export const valueText = (value: GraphValue): string => ('node' in value ? value.node : value.value)

/** `argument 0`, or the name of a keyword. */
export const argumentMessage = (path: string): Message =>
  /^\d/.test(path) ? message`argument ${code(path)}` : [code(path)]

export const nodesMessage = (names: readonly string[]): Message => listedParts(names.map(node))
export const operatorsMessage = (names: readonly string[]): Message => listedParts([...new Set(names)].map(operator))

/** The operator that a node runs, or `a placeholder`. */
export const foundMessage = (found: { operator: string } | { op: string }): Message =>
  'operator' in found ? [operator(found.operator)] : message`a ${found.op}`
