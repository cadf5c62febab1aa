/** Compares a graph with the graph that it is a copy of. */
import type { Graph } from './graph'
import { Node, type Arg } from './node'

/**
 * True if a copy prints and is drawn like its original: equal nodes in order with equal users, and shared meta contents. False for
 * graphs with subgraphs or with erased nodes in the list, because those are not compared.
 */
export function isUnchangedCopy(copy: Graph, original: Graph): boolean {
  if (copy === original) return true
  if (copy.size !== original.size || copy.subgraphs.size > 0 || original.subgraphs.size > 0) return false
  if (copy.passesErased || original.passesErased) return false
  const others = original.nodes()
  for (const node of copy.nodes()) if (!sameNode(node, others.next().value!)) return false
  return true
}

function sameNode(a: Node, b: Node): boolean {
  if (a.name !== b.name || a.op !== b.op || a.target !== b.target || a.type !== b.type || !sameMeta(a, b)) return false
  if (a.args.length !== b.args.length || a.kwargs.size !== b.kwargs.size || a.users.size !== b.users.size) return false
  for (let i = 0; i < a.args.length; i++) if (!sameArg(a.args[i]!, b.args[i]!)) return false
  if (a.kwargs.size > 0 && !sameEntries(a.kwargs, b.kwargs)) return false
  const users = b.users.values()
  for (const user of a.users) if (user.name !== users.next().value!.name) return false
  return true
}

/** A copy's meta holds the same values as its original's. */
function sameMeta({ meta: a }: Node, { meta: b }: Node): boolean {
  return (
    a.val === b.val &&
    a.source === b.source &&
    a.custom === b.custom &&
    a.additional === b.additional &&
    a.signature === b.signature &&
    a.textLine === b.textLine
  )
}

function sameArg(a: Arg, b: Arg): boolean {
  if (a === b) return true
  if (a instanceof Node) return b instanceof Node && a.name === b.name
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null || b instanceof Node) return false
  if (Array.isArray(a)) return Array.isArray(b) && sameArgs(a as readonly Arg[], b as readonly Arg[])
  if (!('kind' in a) || !('kind' in b)) return false
  if (a.kind === 'tuple') return b.kind === 'tuple' && sameArgs(a.items, b.items)
  if (a.kind === 'dict') return b.kind === 'dict' && sameEntries(a.entries, b.entries)
  if (a.kind === 'slice')
    return b.kind === 'slice' && sameArg(a.start, b.start) && sameArg(a.stop, b.stop) && sameArg(a.step, b.step)
  // Copies share the other objects.
  return false
}

const sameArgs = (a: readonly Arg[], b: readonly Arg[]): boolean =>
  a.length === b.length && a.every((x, i) => sameArg(x, b[i]!))

function sameEntries(a: ReadonlyMap<string, Arg>, b: ReadonlyMap<string, Arg>): boolean {
  if (a === b) return true
  const others = b.entries()
  for (const [key, value] of a) {
    const next = others.next().value
    if (!next || next[0] !== key || !sameArg(value, next[1])) return false
  }
  return a.size === b.size
}
