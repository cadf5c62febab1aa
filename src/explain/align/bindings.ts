/** Binds the pattern's arguments to values of the graph, and reports conflicts. */
import { Node, type Arg } from '../../fx'
import { pyEqual, pyRepr } from '../../matcher/py'
import type { Progress } from './alignment'
import type { Pair, Paired } from './arguments'
import { passesThrough } from '../reasons/operators'
import { insertedOnOneSide } from '../reasons/differences'
import { graphValue, termOf } from '../reasons/node_terms'

export function bind(at: Progress, p: Node, name: string, g: Arg): void {
  const before = at.bound.get(name)
  if (before === undefined) {
    exclude(at, p, name, g)
    at.bound.set(name, g)
    return
  }
  if (pyEqual(before, g) || throughInserted(at, p, before, g)) return
  const scalar = at.pattern.workaround.has(name)
  const oneExample = scalar ? [] : (at.pattern.oneExample.get(name) ?? [])
  at.addCause({
    reason: {
      kind: scalar ? 'scalar-differs' : 'argument-differs',
      argument: name,
      first: graphValue(before),
      second: graphValue(g),
      ...(oneExample.length > 0 && { oneExample: [...oneExample] }),
    },
    pattern: p,
    graph: g instanceof Node ? g : null,
    expected: pyRepr(before),
    found: pyRepr(g),
  })
}

function exclude(at: Progress, p: Node, name: string, g: Arg): void {
  const { exclusive } = at.pattern
  if (!exclusive.has(name)) return
  const rival = [...at.bound].find(([k, v]) => exclusive.has(k) && pyEqual(v, g))
  if (!rival) return
  at.addCause({
    reason: { kind: 'exclusive-arguments', first: rival[0], second: name, value: graphValue(g) },
    pattern: p,
    graph: g instanceof Node ? g : null,
    argument: name,
    expected: `another value than ${rival[0]}’s`,
    found: pyRepr(g),
  })
}

/** Reports a pattern node that was already compared with a different graph node. */
export function reportSecondNode(at: Progress, p: Node, before: Node, g: Node): void {
  if (throughInserted(at, p, before, g) || at.inside.has(g)) return
  at.addCause({
    reason: { kind: 'value-differs', term: termOf(p), first: before.name, second: g.name },
    pattern: p,
    graph: g,
    expected: before.name,
    found: g.name,
  })
}

/**
 * Reports an argument that is one value of the match in the pattern and another in the graph. False if the match does not contain
 * both values.
 */
export function reportOtherValue(at: Progress, [user, of]: readonly [Node, Node], pair: Pair): boolean {
  const { pattern: p, graph: g } = pair
  if (!(p instanceof Node) || !(g instanceof Node) || at.pattern.subgraph) return false
  const before = at.seen.get(p)
  if (!(before instanceof Node) || before === g) return false
  // Runs after the cheap checks, where nearly all arguments end.
  if (![...at.pairs].some(([q, other]) => other === g && q !== p)) return false
  at.addCause({
    reason: { kind: 'other-value', node: of.name, argument: pair.path, expected: before.name, found: g.name },
    pattern: user,
    graph: of,
  })
  return true
}

/** Maximum number of nodes inserted on one side. */
const MAX_CHAIN = 6

/**
 * Reports nodes between two graph values where the pattern has one value: no-ops, or operators that compute the second
 * value from the first one alone and for the match alone. Returns false if anything else separates them.
 */
function throughInserted(at: Progress, p: Node, a: Arg, b: Arg): boolean {
  if (!(a instanceof Node) || !(b instanceof Node)) return false
  const [from, to] = a.isBefore(b) ? [a, b] : [b, a]
  const chain: Node[] = []
  for (let n: Node | undefined = to; n && n !== from; n = n.inputs()[0]) {
    const ownUsers = n.users.size === 1 || (n === to && at.pattern.outputs.includes(p))
    const ownValue = n.op === 'call_function' && n.inputs().length === 1 && ownUsers
    if ((!passesThrough(n) && !ownValue) || chain.length >= MAX_CHAIN) return false
    chain.unshift(n)
  }
  if (chain.length === 0 || !chain[0]!.inputs().includes(from)) return false
  chain.forEach((n) => at.inside.add(n))
  at.addCause(insertedOnOneSide(p, chain, from))
  return true
}

/** True if the operands contradict the existing bindings in this order but not when swapped. */
export function bindsSwapped(at: Progress, { pairs }: Paired): boolean {
  const [a, b] = pairs
  if (!a || !b || !/^(0|self)$/.test(a.path) || !/^(1|other)$/.test(b.path)) return false
  const clash = (p: Arg, g: Arg): number => {
    if (!(p instanceof Node)) return 0
    const before = p.op === 'placeholder' ? at.bound.get(at.nameOf(p)) : at.seen.get(p)
    return before === undefined ? 0 : pyEqual(before, g) ? -1 : 1
  }
  const direct = [clash(a.pattern, a.graph), clash(b.pattern, b.graph)]
  const crossed = [clash(a.pattern, b.graph), clash(b.pattern, a.graph)]
  return direct.includes(1) && !crossed.includes(1) && crossed.includes(-1)
}
