/** Messages of causes about operators: different, extra, or missing ones. */
import { code, listedParts, message, node, operator, type Message } from '../../base/message'
import type { OperatorReason } from './reason'
import { foundMessage, nodesMessage, operatorsMessage, termMessage } from './terms'

type Messages = { [K in OperatorReason['kind']]: (r: Extract<OperatorReason, { kind: K }>) => Message }

const custom = (name: string, isCustom: boolean): Message =>
  isCustom ? message`the custom operator ${operator(name)}` : [operator(name)]

const ofClass = (name: string | null | undefined): string => (name == null ? '' : ` (${name.split('.').at(-1)})`)

const TRACED_COPIES = ' (tracing a pattern removes copies that change nothing)'

export const OPERATOR_MESSAGES: Messages = {
  'other-overload': (r) =>
    message`${node(r.node)} is ${operator(r.found)} in the graph, the pattern has the overload ${operator(r.expected)}`,
  'other-functionalization': (r) =>
    message`the graph wraps ${operator(r.operator)} in ${code(r.found)} (${node(r.node)}), the pattern in ${code(r.expected)}: they pass buffers in different ways and never match`,
  'other-factory': (r) =>
    message`${node(r.node)} is made by ${operator(r.found)} in the graph, by ${operator(r.expected)} in the pattern`,
  'other-operator': (r) =>
    message`${node(r.node)} is ${foundMessage(r.found)} in the graph, the pattern has ${termMessage(r.expected)} there${
      r.viewForReshape
        ? ': Inductor turns every view into reshape before its post-grad passes, and tracing a pattern turns every reshape into view, so a search function with either never matches there'
        : ''
    }`,
  'other-call': (r) =>
    message`${node(r.node)} is ${code(r.found)}${ofClass(r.modules?.found)} in the graph, the pattern has ${code(r.expected)}${ofClass(r.modules?.expected)} there: ${r.modules ? 'replace_pattern compares modules by their path, not by their class' : 'the matcher compares functions, methods and modules by identity'}`,
  'decomposed-in-graph': (r) =>
    message`the pattern has ${custom(r.operator, r.custom)}, the graph its decomposition (${nodesMessage(r.nodes)})${
      r.inductor ? ': Inductor decomposes it before its joint and post-grad passes' : ''
    }`,
  'decomposed-in-pattern': (r) =>
    message`the graph has ${custom(r.operator, r.custom)} (${node(r.node)}), the pattern its decomposition (${listedParts(r.terms.map(termMessage))})${
      r.madeBy === 'attention-patterns'
        ? ': Inductor’s own attention patterns run before custom passes, unless the model calls it itself'
        : r.madeBy === 'addmm-patterns'
          ? ': Inductor fuses a product and a sum before custom passes run'
          : ''
    }`,
  inserted: (r) =>
    message`the graph has ${nodesMessage(r.nodes)} (${r.softcap ? 'a softcap: ' : ''}${operatorsMessage(r.operators)}) between ${node(r.after)} and its user; the pattern has nothing there${r.copies ? TRACED_COPIES : ''}`,
  'inserted-on-one-side': (r) =>
    message`the graph has ${nodesMessage(r.nodes)} (${operatorsMessage(r.operators)}) after ${node(r.after)} in one place but not in the other; the pattern uses one value in both${r.copies ? TRACED_COPIES : ''}`,
  'cat-with-copy': (r) =>
    message`the graph has ${nodesMessage(r.nodes)} (${operatorsMessage(r.operators)}) before one input of ${node(r.node)}; the pattern concatenates a value with itself, which traces to expand and clone instead of cat`,
  missing: (r) =>
    message`the pattern has ${termMessage(r.expected)} after the value that is ${node(r.after)} in the graph; the graph has nothing there`,
}
