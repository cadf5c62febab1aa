/**
 * Reports values inside a match that are used outside it, and values that the graph shares but the pattern does not.
 */
import { count } from '../../base/english'
import { type Node, operatorOf } from '../../fx'
import type { Progress } from './alignment'
import { outsideUsers } from './subgraph_rules'

export function reportUsers(at: Progress): void {
  for (const [p, g] of at.pairs) {
    const expected = at.pattern.users?.get(p) ?? p.users.size
    if (at.pattern.subgraph) {
      const users = at.pattern.outputs.includes(p) ? [] : outsideUsers(at, g)
      if (users.length > 0) reportEscaping(at, [p, g], p.users.size, users)
      continue
    }
    if (at.pattern.outputs.includes(p) || expected === 'MULTIPLE' || g.users.size === expected) continue
    const outside = [...g.users].filter((u) => !at.inside.has(u))
    if (g.users.size < expected) reportShared(at, [p, g], expected, outside.length)
    else if (outside.length > 0) reportEscaping(at, [p, g], expected, outside)
  }
}

function reportShared(at: Progress, [p, g]: readonly [Node, Node], expected: number, outside: number): void {
  const unmet = [...p.users].some((u) => !at.pairs.has(u) && u.op !== 'output')
  // A user that takes a different value in the graph is a separate cause.
  const elsewhere = at.causes.some(({ reason: r }) => r.kind === 'other-value' && r.expected === g.name)
  if (at.unusedOutputs > 0 || outside > 0 || unmet || elsewhere) return
  at.addCause({
    reason: { kind: 'shared-value', node: g.name, expected, found: g.users.size },
    pattern: p,
    graph: g,
    expected: count(expected, 'user'),
    found: count(g.users.size, 'user'),
  })
}

/** True if, within a few steps, nothing computed from the node is returned or writes to a tensor. */
const isDead = (n: Node, steps = 6): boolean =>
  n.op !== 'output' &&
  !/_\.|_$|copy_/.test(n.target) &&
  (n.users.size === 0 || (steps > 0 && [...n.users].every((u) => isDead(u, steps - 1))))

function reportEscaping(at: Progress, [p, g]: readonly [Node, Node], expected: number, outside: readonly Node[]): void {
  const dead = outside.filter((u) => isDead(u))
  at.addCause({
    reason: {
      kind: 'escaping-value',
      node: g.name,
      users: outside.map((u) =>
        u.op === 'output'
          ? ('output' as const)
          : { node: u.name, ...(u.op === 'call_function' ? { operator: operatorOf(u) } : {}) },
      ),
      dead: dead.map((d) => d.name),
    },
    pattern: p,
    graph: g,
    expected: `${expected} ${expected === 1 ? 'user' : 'users'}`,
    found: outside.map((u) => u.name).join(', '),
    minor: dead.length === outside.length,
  })
}
