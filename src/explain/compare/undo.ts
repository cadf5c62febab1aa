/** Undoes changes in a copy of the new graph. */
import { clone, mapArgs, stableTopologicalSort, type Arg, type Graph, type Node } from '../../fx'
import type { Correspondence } from './correspondence'
import type { Change } from './types'

/** Null if the changes cannot be undone alone, because the nodes that they need from the old graph changed too. */
export function undo(
  changes: readonly Change[],
  now: Graph,
  pairs: Correspondence,
): { graph: Graph; map: Map<Node, Node> } | null {
  const { graph, map } = clone(now)
  const restored = new Map<Node, Node>()
  const inCopy = (old: Node): Node | null => {
    const paired = pairs.toNew.get(old)
    return restored.get(old) ?? (paired ? map.get(paired)! : null)
  }
  for (const n of inputsFirst(changes.flatMap((c) => c.removed))) {
    const args = mapped(n, inCopy)
    if (!args) return null
    const copy = graph.insertingBefore(graph.output(), () => graph.createNode(n.op, n.target, ...args, n.name))
    copy.meta = { ...n.meta }
    restored.set(n, copy)
  }
  for (const { edits } of changes)
    for (const { old, now: paired, part, argument } of edits) {
      const node = map.get(paired)!
      if (part === 'target') node.target = old.target
      else if (part === 'val') node.meta = { ...node.meta, val: old.meta.val }
      else if (part === 'meta') node.meta = { ...node.meta, custom: old.meta.custom, additional: old.meta.additional }
      else {
        const args = mapped(old, inCopy)
        if (!args) return null
        if (argument === undefined) node.setArgs(...args)
        else if (typeof argument === 'number') node.args = node.args.with(argument, args[0][argument]!)
        else node.kwargs = new Map(node.kwargs).set(argument, args[1].get(argument)!)
      }
    }
  const gone = new Set(changes.flatMap((c) => c.inserted.map((n) => map.get(n)!)))
  for (let last = 0; last !== gone.size;) {
    last = gone.size
    for (const n of gone)
      if (n.users.size === 0 && n.op !== 'output') {
        graph.eraseNode(n)
        gone.delete(n)
      }
  }
  return stableTopologicalSort(graph).ok ? { graph, map } : null
}

/** The old node's arguments, with nodes of the copy. */
function mapped(old: Node, inCopy: (n: Node) => Node | null): [Arg[], ReadonlyMap<string, Arg>] | null {
  let missing = false
  const args = mapArgs(old.args, old.kwargs, (n) => {
    const found = inCopy(n)
    missing ||= found === null
    return found
  })
  return missing ? null : args
}

function inputsFirst(nodes: readonly Node[]): Node[] {
  const left = new Set(nodes)
  const order: Node[] = []
  const visit = (n: Node): void => {
    if (!left.delete(n)) return
    for (const i of n.inputs()) visit(i)
    order.push(n)
  }
  for (const n of nodes) visit(n)
  return order
}
