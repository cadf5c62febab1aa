/** Texts for the counts of an expression, and for a check that no node passes. */
import { count, listed, thousands } from '../../base/english'
import { code, message, operator, type Message, listedParts, node } from '../../base/message'
import { Node, type Arg, isKind, packetOf, wrappedOperator, operatorOf, isFunctionalized } from '../../fx'
import { MULTIPLE } from '../../matcher/expr/pattern'
import { PatternExpr } from '../../matcher/expr/pattern_expr'
import { TargetExpr } from '../../matcher/expr/target'
import { isTargetArgsExpr, type TargetArgsExpr } from '../../matcher/expr/target_args'
import { argumentName, valueText } from '../../matcher/steps/step_text'
import { pyRepr } from '../../matcher/py'
import { isValue, type Counted } from './counting'
import { packetIn, wrappedBy } from './pieces'
import type { TargetIndex } from './target_index'
import type { CheckCount } from './types'
import { closeOperator } from '../reasons/close_operator'
import { decompositionAt, isComposite } from '../reasons/operators'
import { nodesMessage } from '../reasons/terms'

type Check = CheckCount['check']

/** `aten.mul.Tensor`, `aten.add (any overload)`, `_C.silu_and_mul.default in auto_functionalized`. */
function targetName(pattern: PatternExpr): string {
  if (!(pattern instanceof TargetExpr)) return pattern.className === 'GetAttr' ? 'get_attr' : pattern.className
  const packet = packetIn(pattern)
  if (packet !== null) return `${packet} (any overload)`
  const names = [...new Set(pattern.fns)].map((fn) => fn.replace(/^higher_order\./, ''))
  const wrapped = wrappedBy(pattern)
  const name = listed(names).replace(/ and (?!\d)/, ' or ')
  return wrapped === null ? name : `${wrapped} in ${name}`
}

/** `64 nodes are aten.mul.Tensor`, `32 have 0.5 as argument 1`. */
export function checkText(check: Check, n: number, pattern: PatternExpr): string {
  const have = n === 1 ? 'has' : 'have'
  switch (check) {
    case 'operator':
      return `${count(n, 'node')} ${n === 1 ? 'is' : 'are'} ${targetName(pattern)}`
    case 'arity':
      return `${thousands(n)} ${have} ${arity(pattern)}`
    case 'users':
      return `${thousands(n)} ${have} ${users(pattern)}`
    case 'structure':
      return `${thousands(n)} ${have} ${structure(pattern)}`
    case 'constants':
      return `${thousands(n)} ${have} ${constants(pattern)}`
    case 'inputs':
      return `${thousands(n)} ${n === 1 ? 'matches' : 'match'} with all arguments`
  }
}

const arity = (p: PatternExpr): string => (isTargetArgsExpr(p) ? count(p.args.length, 'positional argument') : '')

function users(p: PatternExpr): string {
  const wanted = 'users' in p ? p.users : MULTIPLE
  return wanted === 0 ? 'no user' : `exactly ${count(Number(wanted), 'user')}`
}

const structure = (p: PatternExpr): string =>
  isTargetArgsExpr(p) && p.kwargs.size > 0
    ? `the ${p.kwargs.size === 1 ? 'keyword argument' : 'keyword arguments'} ${listed([...p.kwargs.keys()], 6)}`
    : 'lists of the same structure'

function constants(p: PatternExpr): string {
  if (!isTargetArgsExpr(p)) return 'an equal value'
  return listed(constantsOf(p).map(([path, value]) => `${valueText(value)} as ${argumentName(path)}`))
}

const constantsOf = ({ flat }: TargetArgsExpr): [path: string, value: Arg, at: number][] =>
  flat.items.flatMap((item, i) =>
    item instanceof PatternExpr || isOperator(item as Arg)
      ? []
      : [[flat.paths[i]!, item as Arg, i] as [string, Arg, number]],
  )

/** The first argument of auto_functionalized; it is counted with the operator. */
const isOperator = (arg: Arg): boolean => isKind(arg, 'op')

/** The first check that no node passes, as one or two sentences; null if every check leaves a node. */
export function emptyCheck(
  pattern: PatternExpr,
  counted: Counted,
  index: TargetIndex,
): { check: Check; message: Message } | null {
  const at = counted.checks.findIndex((c) => c.nodes.length === 0)
  if (at < 0) return null
  const { check } = counted.checks[at]!
  const before = counted.checks[at - 1]?.nodes ?? []
  return { check, message: emptyMessage(pattern, check, before, { counted, index }) }
}

function emptyMessage(
  pattern: PatternExpr,
  check: Check,
  before: readonly Node[],
  { counted, index }: { counted: Counted; index: TargetIndex },
): Message {
  if (check === 'operator') {
    const name = targetName(pattern)
    const absent = message`No node of this graph is ${operator(name)}: the pattern cannot fire.`
    const near = pattern instanceof TargetExpr ? nearOperator(pattern, index) : null
    return near ? message`${absent} ${near}` : absent
  }
  const among = `None of the ${count(before.length, `${targetName(pattern)} node`)}`
  const none = before.length === 1 ? `The only ${targetName(pattern)} node does not have` : `${among} has`
  switch (check) {
    case 'arity':
      return message`${none} ${arity(pattern)}: ${tally(before, (n) => count(n.args.length, 'argument'))}.`
    case 'users':
      return message`${none} ${users(pattern)}: ${tally(before, (n) => count(n.users.size, 'user'))}.`
    case 'structure':
      return message`${none} ${structure(pattern)}.`
    case 'constants':
      return constantsMessage(pattern, before, counted, none)
    default:
      return before.length === 1
        ? message`${placesOf(before)} passes alone, but not with its arguments.`
        : message`${count(before.length, 'node')} pass alone, but none with its arguments (${placesOf(before)}).`
  }
}

/** Names the constant that no node has, with the values that the nodes have. */
function constantsMessage(pattern: PatternExpr, nodes: readonly Node[], counted: Counted, none: string): Message {
  if (!isTargetArgsExpr(pattern)) return message`${none} an equal value.`
  for (const [path, value, at] of constantsOf(pattern)) {
    const found = (n: Node): Arg => counted.items.get(n)![at]!
    if (nodes.some((n) => isValue(found(n), value))) continue
    const values = tally(nodes, (n) => (found(n) instanceof Node ? 'a node' : pyRepr(found(n))))
    return message`${none} ${code(valueText(value))} as ${argumentName(path)}: ${values}.`
  }
  return message`${none} all of ${constants(pattern)}.`
}

/** `64 have 0.25, 2 have 1.0`. */
function tally(nodes: readonly Node[], text: (n: Node) => string): string {
  const counts = new Map<string, number>()
  for (const n of nodes) counts.set(text(n), (counts.get(text(n)) ?? 0) + 1)
  const most = [...counts].sort((a, b) => b[1] - a[1])
  return listed(
    most.map(([value, n]) => `${thousands(n)} ${n === 1 ? 'has' : 'have'} ${value}`),
    3,
  )
}

/** Maximum number of nodes at which a decomposition is looked for. */
const MAX_ENDS = 2000

/** One sentence that names the nearest operator, its nodes and the difference; null if no operator is near. */
function nearOperator(pattern: TargetExpr, index: TargetIndex): Message | null {
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
function placesOf(nodes: readonly Node[]): Message {
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
