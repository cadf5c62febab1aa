/** Messages of causes about arguments: their form, order and values. */
import { code, listedParts, message, node, operator, type Message } from '../../base/message'
import { count } from '../../base/english'
import type { ArgumentReason } from './reason'
import { argumentMessage, termMessage, valuePart } from './terms'

type Messages = { [K in ArgumentReason['kind']]: (r: Extract<ArgumentReason, { kind: K }>) => Message }

const keyword = (name: string, value: string): Message => [code(`${name}=${value}`)]

/** Explains why a pattern has one argument for several of its function's arguments. */
function oneExampleMessage({
  argument,
  oneExample = [],
}: Extract<ArgumentReason, { kind: 'argument-differs' }>): Message {
  if (oneExample.length === 0) return []
  const names = listedParts([...oneExample, argument].map((n) => code(n)))
  return message`; the example inputs of ${names} are one tensor, so the trace cannot tell them apart: give each a tensor of its own`
}

const STAGES = {
  initial: 'compared in the initial stage',
  specific: 'compared in the specific stage, once the pattern is traced again with the graph’s shapes',
  subgraph:
    'replace_pattern compares literals by type and value; replace_pattern_with_filters(…, ignore_literals=True) leaves them out',
}

export const ARGUMENT_MESSAGES: Messages = {
  'list-length': (r) =>
    message`${node(r.node)}: the list ${argumentMessage(r.argument)} has ${r.found} items in the graph, ${r.expected} in the pattern`,
  'keyword-missing': (r) =>
    message`${node(r.node)}: the pattern passes ${keyword(r.argument, r.value)}, the graph does not pass ${code(r.argument)}`,
  'keyword-extra': (r) =>
    message`${node(r.node)}: the graph passes ${keyword(r.argument, r.value)}, the pattern does not pass ${code(r.argument)}`,
  'keyword-order': (r) =>
    message`${node(r.node)}: the keyword arguments are in a different order: ${code(r.found.join(', '))} in the graph, ${code(r.expected.join(', '))} in the pattern; the order matters`,
  'passed-by': (r) =>
    message`${node(r.node)}: the graph passes ${code(r.argument)} by ${r.found}, the pattern by ${r.expected}`,
  'positional-count': (r) =>
    message`${node(r.node)} has ${count(r.found, 'positional argument')} in the graph, ${r.expected} in the pattern: replace_pattern compares calls without a schema by position`,
  'passed-on-one-side': (r) => {
    const other = r.side === 'pattern' ? 'graph' : 'pattern'
    const why: Message =
      r.default === null
        ? []
        : r.isDefault
          ? message`; ${code(r.value)} is the schema’s default, which the ${other}’s trace dropped`
          : message`; the ${other} leaves it at the default ${code(r.default)}, which tracing drops`
    return message`${node(r.node)}: the ${r.side} passes ${keyword(r.argument, r.value)}, the ${other} does not pass ${code(r.argument)} (${r.positional.graph} positional arguments in the graph, ${r.positional.pattern} in the pattern)${why}`
  },
  'operand-order': (r) =>
    message`the operands of ${node(r.node)} are swapped: ${valuePart(r.graphFirst)} comes first in the graph, ${'term' in r.patternFirst ? code(r.patternFirst.term) : valuePart(r.patternFirst)} in the pattern, and the matcher compares operands in order`,
  'tensor-constant': (r) =>
    r.found === null
      ? message`the graph dump does not contain the values of the tensor constant ${node(r.node)}: without them it equals no constant of a pattern`
      : message`the tensor constant ${node(r.node)} is ${code(r.found)} in the graph, ${code(r.expected)} in the pattern`,
  'branch-module': (r) =>
    message`${node(r.node)} is the graph of a branch of ${listedParts(r.operators.map(operator))}, and the matcher compares such graphs by identity: the graph’s branch never equals the one that the search function traces to, so a search function with this call matches nothing; ${code('CallFunction(…, Ignored(), Ignored(), …)')} in register_graph_pattern accepts any branches`,
  'item-index': (r) => message`${node(r.node)} takes item ${code(r.found)}, the pattern takes item ${code(r.expected)}`,
  'item-for-none': (r) =>
    message`${argumentMessage(r.argument)} of ${node(r.node)} is ${node(r.item)} (item ${code(r.index)}) in the graph, None in the pattern: item 0 of a functionalized call is the operator’s own return value, None for an operator that only writes`,
  constant: (r) =>
    message`${argumentMessage(r.argument)} of ${node(r.node)} is ${code(r.found)} in the graph, ${code(r.expected)} in the pattern${{ note: STAGES[r.stage] }}`,
  'node-for-constant': (r) =>
    message`${argumentMessage(r.argument)} of ${node(r.node)} is ${node(r.found)} in the graph, ${code(r.expected)} in the pattern`,
  'constant-for-node': (r) =>
    message`the graph has the constant ${code(r.found)} where the pattern has ${r.expected === 'tensor-constant' ? 'a tensor constant' : termMessage(r.expected)}`,
  'symbolic-argument': (r) =>
    message`${argumentMessage(r.argument)} of ${node(r.node)} is the symbolic size ${node(r.size)} in the graph, the literal ${code(r.expected)} in the pattern`,
  'literal-size': (r) => message`the graph has the literal size ${code(r.found)} where the pattern has a symbolic size`,
  'size-for-node': (r) =>
    message`the pattern computes a size with ${termMessage(r.expected)}, the graph has ${node(r.node)} for it: with dynamic shapes the two are different nodes`,
  'argument-differs': (r) =>
    message`the pattern uses its argument ${code(r.argument)} twice, the graph has ${valuePart(r.first)} in one place and ${valuePart(r.second)} in the other${oneExampleMessage(r)}`,
  'one-value': (r) =>
    r.other === null
      ? message`the argument ${code(r.argument)} is ${valuePart(r.value)} in the graph, which also stands for a node of the pattern: replace_pattern takes a value for one of them`
      : message`the arguments ${listedParts([code(r.other), code(r.argument)])} are both ${valuePart(r.value)} in the graph: replace_pattern takes a value for one argument only, so the pattern must use one argument twice`,
  'scalar-differs': (r) =>
    message`the argument ${code(r.argument)} stands for two values: ${valuePart(r.first)} in one place and ${valuePart(r.second)} in another`,
  'exclusive-arguments': (r) =>
    message`the arguments ${listedParts([code(r.first), code(r.second)])} are exclusive, and both are ${valuePart(r.value)} in the graph`,
  'value-differs': (r) =>
    message`the pattern uses one ${termMessage(r.term)} in two places, the graph has ${node(r.first)} in one and ${node(r.second)} in the other`,
  'other-value': (r) =>
    message`${argumentMessage(r.argument)} of ${node(r.node)} is ${node(r.found)} in the graph; the pattern has ${node(r.expected)} there`,
}
