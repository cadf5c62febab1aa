/** Nodes that only one of two graphs has, joined to connected regions with the nodes that read them. */
import { visitNodes, type Arg, type Node } from '../../fx'
import { constantsText, sameArity } from './canonical'
import type { Correspondence } from './correspondence'
import type { Change, PairEdit } from './types'

export function regions(old: readonly Node[], now: readonly Node[], pairs: Correspondence): Change[] {
  const removed = old.filter((n) => !pairs.toNew.has(n))
  const inserted = now.filter((n) => !pairs.toOld.has(n))
  const sets = new Sets([...removed, ...inserted])
  for (const n of [...removed, ...inserted]) for (const i of n.inputs()) sets.join(n, i)
  // What stands between the same nodes in both graphs is one region.
  for (const r of removed) {
    const users = counterparts(r.users, pairs.toNew)
    const inputs = counterparts(r.inputs(), pairs.toNew)
    for (const u of users) for (const i of u.inputs()) if (!pairs.toOld.has(i)) sets.join(r, i)
    if (users.length === 0) for (const i of inputs) for (const u of i.users) if (u.users.size === 0) sets.join(r, u)
  }
  const only = new Set(inserted)
  return sets.groups().map((nodes) => region(nodes, only, pairs))
}

const counterparts = (nodes: Iterable<Node>, to: ReadonlyMap<Node, Node>): Node[] =>
  [...nodes].flatMap((n) => to.get(n) ?? [])

function region(nodes: readonly Node[], only: ReadonlySet<Node>, pairs: Correspondence): Change {
  const members = new Set(nodes)
  const removed = nodes.filter((n) => !only.has(n))
  const inserted = nodes.filter((n) => only.has(n))
  const readers = new Map<Node, Node>()
  for (const n of removed) for (const u of n.users) if (pairs.toNew.has(u)) readers.set(u, pairs.toNew.get(u)!)
  for (const n of inserted) for (const u of n.users) if (pairs.toOld.has(u)) readers.set(pairs.toOld.get(u)!, u)
  const edits = [...readers].flatMap(([old, now]) => readingEdits(old, now, members))
  const kind = removed.length === 0 ? 'inserted' : inserted.length === 0 ? 'removed' : 'replaced'
  const one = (n: Node): string => (n.op === 'placeholder' ? 'input' : `${n.target}(${constantsText(n)})`)
  const text = (list: readonly Node[]): string => list.map(one).join('; ')
  const detail = kind === 'replaced' ? `${text(removed)} → ${text(inserted)}` : text(removed) + text(inserted)
  return { kind, removed, inserted, edits, detail }
}

/** The arguments of a paired node that read a region; all of them if their number changed too. */
function readingEdits(old: Node, now: Node, members: ReadonlySet<Node>): PairEdit[] {
  const reads = (arg: Arg | undefined): boolean => {
    let found = false
    visitNodes(arg ?? null, (n) => (found ||= members.has(n)))
    return found
  }
  if (!sameArity(old, now)) return [{ old, now, part: 'args' }]
  const positions = old.args.flatMap((a, i): (number | string)[] => (reads(a) || reads(now.args[i]) ? [i] : []))
  const names = [...old.kwargs].flatMap(([k, a]) => (reads(a) || reads(now.kwargs.get(k)) ? [k] : []))
  return [...positions, ...names].map((argument) => ({ old, now, part: 'args' as const, argument }))
}

/** Disjoint sets of unpaired nodes. */
class Sets {
  private readonly parent: Map<Node, Node>

  constructor(nodes: readonly Node[]) {
    this.parent = new Map(nodes.map((n) => [n, n]))
  }

  private root(n: Node): Node {
    let r = n
    while (this.parent.get(r) !== r) r = this.parent.get(r)!
    this.parent.set(n, r)
    return r
  }

  /** Does nothing for a node that is paired. */
  join(a: Node, b: Node): void {
    if (this.parent.has(a) && this.parent.has(b)) this.parent.set(this.root(a), this.root(b))
  }

  groups(): Node[][] {
    const found = new Map<Node, Node[]>()
    for (const n of this.parent.keys()) {
      const root = this.root(n)
      found.set(root, [...(found.get(root) ?? []), n])
    }
    return [...found.values()]
  }
}
