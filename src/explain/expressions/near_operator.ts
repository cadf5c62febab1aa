/** Names what a graph has instead of an operator that it lacks. */
import { type Node, packetOf, wrappedOperator, operatorOf, isFunctionalized } from '../../fx'
import { code, listedParts, message, node, operator, type Message } from '../../base/message'
import { thousands } from '../../base/english'
import type { TargetExpr } from '../../matcher/expr/target'
import { closeOperator } from '../reasons/close_operator'
import { decompositionAt, isComposite } from '../reasons/operators'
import { nodesMessage } from '../reasons/terms'
import { wrappedBy } from './pieces'
import type { TargetIndex } from './target_index'

/** Maximum number of nodes at which a decomposition is looked for. */
const MAX_ENDS = 2000

/** One sentence that names the nearest operator, its nodes, and the difference; null if nothing is near. */
export function nearOperator(pattern: TargetExpr, index: TargetIndex): Message | null {
  const [first] = pattern.fns
  if (first === undefined) return null
  const wanted = wrappedBy(pattern) ?? first
  const same = index.operators.of(packetOf(wanted))
  if (same.length > 0) return otherForm(pattern, wanted, same)
  const packet = packetOf(wanted)
  const other = packet === 'aten.view' ? 'aten.reshape' : packet === 'aten.reshape' ? 'aten.view' : null
  const views = other === null ? [] : index.operators.of(other)
  if (views.length > 0)
    return message`The graph has ${named(views)}: Inductor turns every view into reshape before its post-grad passes, and tracing a pattern turns every reshape into view.`
  const close = closeOperator(wanted, index.operatorNames)
  const closest = close === null ? [] : index.operators.of(packetOf(close))
  if (closest.length > 0) return message`The graph has ${named(closest)}.`
  return decomposed(wanted, index)
}

/** Nodes with the same operator in another overload, or functionalized in another way. */
function otherForm(pattern: TargetExpr, wanted: string, nodes: readonly Node[]): Message {
  const wraps = wrappedBy(pattern) !== null
  const [found] = nodes
  if (wraps && !isFunctionalized(found!))
    return message`The graph calls ${named(nodes)} without ${code(pattern.fns[0]!.split('.').at(-1)!)}.`
  if (!wraps && wrappedOperator(found!) === wanted)
    return message`The graph wraps ${operator(wanted)} in ${code(found!.target.split('.').at(-1)!)} (${placesOf(nodes)}).`
  if (wraps && found!.target !== pattern.fns[0])
    return message`The graph wraps ${operator(wanted)} in ${code(found!.target.split('.').at(-1)!)} (${placesOf(nodes)}), the pattern in ${code(pattern.fns[0]!.split('.').at(-1)!)}: they pass buffers in different ways and never match.`
  if (found!.op !== pattern.op)
    return message`The graph has ${operator(wanted)} as ${code(found!.op)} (${placesOf(nodes)}), the pattern as ${code(pattern.op)}.`
  return message`The graph has ${named(nodes)}: overloads are compared exactly.`
}

/** `aten.mul.Scalar (mul_3 and 31 more)`, by operator. */
function named(nodes: readonly Node[]): Message {
  const byOperator = new Map<string, Node[]>()
  for (const n of nodes) {
    const those = byOperator.get(operatorOf(n))
    if (those) those.push(n)
    else byOperator.set(operatorOf(n), [n])
  }
  return listedParts([...byOperator].map(([name, those]) => message`${operator(name)} (${placesOf(those)})`))
}

/** `mul_3`, or `mul_3 and 31 more`. */
export function placesOf(nodes: readonly Node[]): Message {
  const first = node(nodes[0]!.name)
  return nodes.length === 1 ? [first] : message`${first} and ${thousands(nodes.length - 1)} more`
}

function decomposed(wanted: string, index: TargetIndex): Message | null {
  if (!isComposite(wanted)) return null
  for (const end of index.operators.nodes.slice(0, MAX_ENDS)) {
    const steps = end.op === 'call_function' ? decompositionAt(wanted, end) : null
    if (steps)
      return message`The graph has what looks like its decomposition (${nodesMessage(steps.map((n) => n.name))}).`
  }
  return null
}
