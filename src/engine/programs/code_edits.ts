/** The edits of code on the graph as matches without a pattern, so that their values are compared as those of a handler. */
import type { Node } from '../../fx'
import type { AppliedMatch } from '../../matcher'
import { argumentsNow, swapsOf } from '../invariants/changes'
import { editsOf, handlerRegion } from './handler_region'
import type { OperatorBodies } from './operator_bodies'
import type { Rewrite } from './program'

/**
 * One match for each part of the graph that the code edited; parts have no edited node in common. Nodes that a transformer copied
 * as they were are no edits.
 */
export function codeEdits(
  { before, after, copies }: Omit<Rewrite, 'matches'>,
  bodies: OperatorBodies | null,
): Rewrite & { matches: AppliedMatch[] } {
  const rewrite = { before, after, copies: withCopied({ before, after, copies }), matches: [] }
  const { pairs, kept } = editsOf(rewrite)
  const was = new Set<Node>(pairs.map(([node]) => node))
  for (const node of before.nodes()) if (rewrite.copies.get(node)?.erased !== false) was.add(node)
  const made = new Set<Node>([...after.nodes()].filter((n) => n.op !== 'output' && !kept.has(n)))
  const parts = new Parts()
  for (const node of was) parts.join(node, node.inputs(), was)
  for (const node of made) parts.join(node, node.inputs(), made)
  for (const [node, is] of pairs) parts.join(node, [is], made)
  const matches = parts.all().map((part): AppliedMatch => {
    const [old, added] = [was, made].map((set) => part.filter((n) => set.has(n)).map((n) => n.name)) as [
      string[],
      string[],
    ]
    const node = pairs.find(([n]) => part.includes(n))?.[0].name ?? old[0] ?? added[0]!
    return {
      entry: 0,
      node,
      nodes: old,
      outputs: [],
      args: [],
      kwargs: {},
      map: [],
      added,
      made: added,
      replacedBy: [],
    }
  })
  // Dead code that went away changes no value.
  return { ...rewrite, matches: matches.filter((match) => handlerRegion(rewrite, match, bodies) !== null) }
}

/** The copies, with the nodes that a transformer made anew: the same target and arguments, often another name. */
function withCopied({ before, after, copies }: Omit<Rewrite, 'matches'>): Map<Node, Node> {
  const all = new Map(copies)
  const origins = new Map<Node, Node>()
  const gone = new Map<string, Node[]>()
  for (const node of before.nodes()) {
    const copy = all.get(node)
    if (copy?.erased === false) origins.set(copy, node)
    else gone.set(keyOf(node, node.inputs()), [...(gone.get(keyOf(node, node.inputs())) ?? []), node])
  }
  for (const copy of after.nodes()) {
    if (origins.has(copy)) continue
    const inputs = copy.inputs().flatMap((n) => origins.get(n) ?? [])
    const alike = gone.get(keyOf(copy, inputs)) ?? []
    const at = alike.findIndex((node) =>
      swapsOf(argumentsNow(node), argumentsNow(copy))?.every(([input, is]) => all.get(input) === is),
    )
    if (at < 0) continue
    const [node] = alike.splice(at, 1)
    all.set(node!, copy)
    origins.set(copy, node!)
  }
  return all
}

const keyOf = ({ op, target }: Node, inputs: readonly Node[]): string =>
  [op, op === 'output' ? '' : target, ...inputs.map((n) => n.name)].join(' ')

/** Disjoint sets of nodes. */
class Parts {
  private readonly parents = new Map<Node, Node>()

  /** Puts a node with those of the others that are edited. */
  join(node: Node, others: readonly Node[], edited: ReadonlySet<Node>): void {
    const root = this.root(node)
    for (const other of others) if (edited.has(other)) this.parents.set(this.root(other), root)
  }

  all(): Node[][] {
    const parts = new Map<Node, Node[]>()
    for (const node of this.parents.keys()) {
      const root = this.root(node)
      parts.set(root, [...(parts.get(root) ?? []), node])
    }
    return [...parts.values()]
  }

  private root(node: Node): Node {
    let root = node
    for (let up = this.parents.get(root); up && up !== root; up = this.parents.get(root)) root = up
    if (!this.parents.has(root)) this.parents.set(root, root)
    for (let n = node; n !== root;) {
      const up = this.parents.get(n) ?? root
      this.parents.set(n, root)
      n = up
    }
    return root
  }
}
