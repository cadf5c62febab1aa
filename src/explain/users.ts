/** Values inside a match that something outside it uses, and values that the graph shares and the pattern does not. */
import type { Node } from '../fx'
import type { Progress } from './alignment'
import { listed, operatorOf } from './operators'

export function tellOfUsers(at: Progress): void {
  for (const [p, g] of at.pairs) {
    if (at.pattern.outputs.includes(p) || g.users.size === p.users.size) continue
    const outside = [...g.users].filter((u) => !at.inside.has(u))
    if (g.users.size < p.users.size) tellShared(at, p, g, outside.length)
    else if (outside.length > 0) tellEscaping(at, p, g, outside)
  }
}

function tellShared(at: Progress, p: Node, g: Node, outside: number): void {
  const unmet = [...p.users].some((u) => !at.pairs.has(u) && u.op !== 'output')
  if (at.unusedOutputs > 0 || outside > 0 || unmet) return
  at.tell({
    kind: 'structure',
    pattern: p,
    graph: g,
    expected: `${p.users.size} users`,
    found: `${g.users.size} users`,
    sentence: `${g.name} is used ${g.users.size === 1 ? 'once' : `${g.users.size} times`} in the graph, ${p.users.size} times in the pattern: the graph shares what the pattern computes twice`,
  })
}

function tellEscaping(at: Progress, p: Node, g: Node, outside: readonly Node[]): void {
  const dead = outside.filter((u) => u.users.size === 0 && u.op !== 'output' && !/_\.|_$|copy_/.test(u.target))
  const names = outside.map((u) =>
    u.op === 'output' ? 'the graph’s output' : u.op === 'call_function' ? `${u.name} (${operatorOf(u)})` : u.name,
  )
  at.tell({
    kind: 'escaping-intermediate',
    pattern: p,
    graph: g,
    expected: `${p.users.size} ${p.users.size === 1 ? 'user' : 'users'}`,
    found: outside.map((u) => u.name).join(', '),
    sentence: `${g.name} is inside the match, and ${listed(names)} outside it ${outside.length === 1 ? 'uses' : 'use'} it too${dead.length > 0 ? ` (${listed(dead.map((d) => d.name))} ${dead.length === 1 ? 'is' : 'are'} dead code, which counts)` : ''}; return it from the pattern to allow that`,
  })
}
