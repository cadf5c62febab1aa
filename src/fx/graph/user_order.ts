/**
 * Restores the order of a node's users, which the text of a graph omits. FX keeps users in order of creation, and
 * matching from one output to the next depends on it; Inductor reorders nodes afterwards (reorder_for_locality). Names
 * are numbered in order of creation: `sqrt` before `sqrt_1`.
 */
import type { Graph } from './graph'
import type { Node } from './node'

/**
 * Sorts users whose names differ only in their number by that number, and puts users that a rewrite inserted after
 * the traced ones; the others keep their positions.
 */
export function restoreUserOrder(graph: Graph): void {
  for (const node of graph.nodes()) {
    if (node.users.size < 2) continue
    const users = [...node.users]
    const groups = new Map<string, number[]>()
    for (const [at, user] of users.entries()) {
      const { base } = numbered(user)
      const group = groups.get(base)
      if (group) group.push(at)
      else groups.set(base, [at])
    }
    const folded = users.filter(readsFolded)
    const inserted = isInserted(node) ? [] : users.filter(isInserted)
    if (groups.size === users.length && folded.length === 0 && inserted.length === 0) continue
    let ordered = [...users]
    for (const places of groups.values()) {
      const byNumber = places.map((at) => users[at]!).sort((a, b) => numbered(a).number - numbered(b).number)
      places.forEach((at, i) => (ordered[at] = byNumber[i]!))
    }
    if (inserted.length > 0) ordered = [...ordered.filter((u) => !isInserted(u)), ...ordered.filter(isInserted)]
    if (folded.length > 0) ordered = [...ordered.filter((u) => !readsFolded(u)), ...ordered.filter(readsFolded)]
    if (ordered.every((user, i) => user === users[i])) continue
    node.users.clear()
    ordered.forEach((user) => node.users.add(user))
  }
}

/** Inductor folded an operand into `full_default`: FX then added the user again to all of its inputs. */
const readsFolded = (user: Node): boolean =>
  user.inputs().some((n) => n.target === 'aten.full.default' && /^full_default(_\d+)?$/.test(n.name))

/** Graph.call_function names a node after its overload (`div_tensor`), tracing after its operator (`div`). */
function isInserted(node: Node): boolean {
  const [namespace, operator, overload] = node.target.split('.')
  if (node.op !== 'call_function' || overload === undefined || namespace === '_operator') return false
  return numbered(node).base === `${operator}_${overload.toLowerCase()}`
}

function numbered({ name }: Node): { base: string; number: number } {
  const cut = name.lastIndexOf('_')
  const digits = name.slice(cut + 1)
  return cut > 0 && /^\d+$/.test(digits)
    ? { base: name.slice(0, cut), number: Number(digits) }
    : { base: name, number: 0 }
}
