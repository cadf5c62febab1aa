/** The edits of code on the graph as matches without a pattern, so that their values are compared like a handler's. */
import { Node, NodeSets } from '../../fx'
import type { AppliedMatch } from '../../matcher'
import { argumentsNow, swapsOf, type Swap } from '../invariants/changes'
import { editsOf, handlerRegion } from './handler_region'
import type { OperatorBodies } from './operator_bodies'
import type { Rewrite } from './program'

/** The edits of a stage as matches. */
export interface CodeEdits extends Rewrite {
  matches: AppliedMatch[]
  /**
   * The same edits in larger parts, for values that differ: if the code created all nodes anew, the replaced nodes are inferred
   * from their users. Null if nothing was inferred.
   */
  whole(): CodeEdits | null
}

/**
 * One match for each edited part of the graph; parts share no edited node. Nodes that a transformer copied unchanged are not edits.
 */
export function codeEdits(graphs: Omit<Rewrite, 'matches'>, bodies: OperatorBodies | null): CodeEdits {
  const loose = new Copied(graphs, true)
  const whole = () =>
    loose.isLoose ? { ...editsBetween(graphs, new Copied(graphs, false), bodies), whole: () => null } : null
  return { ...editsBetween(graphs, loose, bodies), whole }
}

function editsBetween(
  { before, after }: Omit<Rewrite, 'matches'>,
  { copies }: Copied,
  bodies: OperatorBodies | null,
): Omit<CodeEdits, 'whole'> {
  const rewrite = { before, after, copies, matches: [] }
  const { pairs, kept } = editsOf(rewrite)
  const was = new Set<Node>(pairs.map(([node]) => node))
  for (const node of before.nodes()) if (copies.get(node)?.erased !== false) was.add(node)
  const made = new Set<Node>([...after.nodes()].filter((n) => n.op !== 'output' && !kept.has(n)))
  const parts = new NodeSets([...was, ...made])
  for (const node of [...was, ...made]) for (const input of node.inputs()) parts.join(node, input)
  for (const [node, is] of pairs) parts.join(node, is)
  const anchors = new Set(pairs.map(([node]) => node))
  const matches = parts.groups().map((part): AppliedMatch => {
    const names = (set: ReadonlySet<Node>) => part.filter((n) => set.has(n)).map((n) => n.name)
    const [nodes, added] = [names(was), names(made)]
    const node = names(anchors)[0] ?? nodes[0] ?? added[0]!
    return { entry: 0, node, nodes, outputs: [], args: [], kwargs: {}, map: [], added, made: added, replacedBy: [] }
  })
  // Removing dead code changes no value.
  return { ...rewrite, matches: matches.filter((match) => handlerRegion(rewrite, match, bodies) !== null) }
}

/** The copies, including nodes that a transformer created anew: the same target and arguments, often with another name. */
class Copied {
  readonly copies: Map<Node, Node>
  private readonly origins = new Map<Node, Node>()
  /** For nodes without a copy: the value that their users take instead. */
  private readonly replaced = new Map<Node, Node>()
  private readonly gone = new Map<string, Node[]>()

  /** @param loosely true if a node whose input was replaced also counts as a copy, provided it takes the new value */
  constructor({ before, after, copies }: Omit<Rewrite, 'matches'>, loosely: boolean) {
    this.copies = new Map(copies)
    for (const node of before.nodes()) {
      const copy = copies.get(node)
      if (copy?.erased === false) this.origins.set(copy, node)
      else this.gone.set(kindOf(node), [...(this.gone.get(kindOf(node)) ?? []), node])
    }
    for (const copy of after.nodes()) {
      if (this.origins.has(copy)) continue
      const alike = this.gone.get(kindOf(copy)) ?? []
      let at = alike.findIndex((node) => this.swaps(node, copy, false))
      if (at < 0 && loosely) at = alike.findIndex((node) => this.swaps(node, copy, true))
      if (at < 0) continue
      const [node] = alike.splice(at, 1) as [Node]
      for (const [was, is] of this.swaps(node, copy, loosely)!)
        if (this.copies.get(was) !== is) this.replaced.set(was, is as Node)
      this.copies.set(node, copy)
      this.origins.set(copy, node)
    }
  }

  get isLoose(): boolean {
    return this.replaced.size > 0
  }

  /** The differences between the arguments; null if an argument has a different value. */
  private swaps(node: Node, copy: Node, loosely: boolean): readonly Swap[] | null {
    const swaps = swapsOf(argumentsNow(node), argumentsNow(copy))
    const same = ([was, is]: Swap): boolean =>
      this.copies.get(was) === is ||
      (loosely && isMade(is) && this.isReplaced(was) && (this.replaced.get(was) ?? is) === is)
    const isMade = (is: Swap[1]): boolean => is instanceof Node && !this.origins.has(is)
    return swaps?.every(same) ? swaps : null
  }

  private isReplaced(was: Node): boolean {
    const copy = this.copies.get(was)
    return copy === undefined || copy.erased
  }
}

const kindOf = ({ op, target }: Node): string => `${op} ${op === 'output' ? '' : target}`
