/** Candidate anchors of a pattern: nodes similar to its first output, and nodes reached from its rarest parts. */
import { type Graph, type Node, isFunctionOrMethod, isGetitem } from '../../fx'
import { keyOf } from '../reasons/operators'
import { complete } from '../pace'
import { coneOf } from './pattern_graph'

/** Indexes a graph's nodes by operator, ignoring overload and functionalization. */
export class GraphIndex {
  readonly nodes: readonly Node[]
  readonly byName: ReadonlyMap<string, Node>
  /** The distinct targets of the nodes. */
  readonly targets: ReadonlySet<string>

  private constructor(
    readonly graph: Graph,
    private readonly byKey: ReadonlyMap<string, readonly Node[]>,
    all: { nodes: readonly Node[]; byName: ReadonlyMap<string, Node>; targets: ReadonlySet<string> },
  ) {
    this.nodes = all.nodes
    this.byName = all.byName
    this.targets = all.targets
  }

  static of(graph: Graph): GraphIndex {
    return complete(GraphIndex.slices(graph, { due: () => false }))
  }

  /** Yields when a pause is due: a graph of 50 000 nodes takes longer than one slice. */
  static *slices(graph: Graph, pace: { due(): boolean }): Generator<void, GraphIndex> {
    const nodes: Node[] = []
    const byName = new Map<string, Node>()
    const byKey = new Map<string, Node[]>()
    const targets = new Set<string>()
    for (const n of graph.nodes()) {
      nodes.push(n)
      byName.set(n.name, n)
      if (n.op !== 'placeholder') targets.add(n.target)
      const list = byKey.get(keyOf(n))
      if (list) list.push(n)
      else byKey.set(keyOf(n), [n])
      if (nodes.length % 256 === 0 && pace.due()) yield
    }
    return new GraphIndex(graph, byKey, { nodes, byName, targets })
  }

  of(key: string): readonly Node[] {
    return this.byKey.get(key) ?? []
  }
}

/** Maximum number of anchors at which one pattern is aligned. */
export const MAX_ANCHORS = 400
/** Number of a pattern's parts, rarest first, that the far search starts from. */
const SEEDS = 3

/**
 * Candidate graph nodes for `output`: those that run its operator, or with `far` those reached from its rarest parts.
 */
export function anchorsOf(output: Node, index: GraphIndex, far: boolean): Set<Node> {
  const found = new Set<Node>()
  const add = (nodes: Iterable<Node>): void => {
    for (const n of nodes) if (found.size < MAX_ANCHORS) found.add(n)
  }
  const produced = isGetitem(output) ? output.inputs()[0] : null
  if (produced)
    for (const g of index.of(keyOf(produced))) {
      const items = [...g.users].filter(isGetitem)
      const wanted = items.filter((u) => u.args[1] === output.args[1])
      add(wanted.length > 0 ? wanted : items)
    }
  else add(index.of(keyOf(output)))
  if (!far) return found
  const cone = new Set(coneOf(output))
  const seeds = [...cone]
    .filter((p) => isFunctionOrMethod(p) && !isGetitem(p) && p !== output && p !== produced)
    .map((p) => ({ p, places: index.of(keyOf(p)) }))
    .filter((s) => s.places.length > 0)
    .sort((a, b) => a.places.length - b.places.length)
    .slice(0, SEEDS)
  for (const { p, places } of seeds)
    for (const g of places.slice(0, MAX_ANCHORS)) {
      const end = descend(p, g, output, cone)
      // If the graph lacks the output itself, the node that would be its input is also a candidate.
      if (end) add(end.node === end.before ? [end.node] : [end.node, end.before])
    }
  return found
}

/**
 * Follows the pattern from a node paired with `g` down to `output`, choosing at each step the graph user most like the
 * pattern's.
 * @returns the last graph node reached and the one before it
 */
export function descend(
  p: Node,
  g: Node,
  output: Node,
  within: ReadonlySet<Node>,
): { node: Node; before: Node } | null {
  let at: Node = p
  let here: Node = g
  let before: Node = g
  for (let steps = 0; at !== output; steps++) {
    if (steps > 200) return null
    const next = [...at.users].find((u) => within.has(u))
    if (!next) return null
    const users = [...here.users].filter((u) => u.op !== 'output')
    const like = (list: readonly Node[]): Node | undefined =>
      list.find((u) => keyOf(u) === keyOf(next) && (!isGetitem(u) || u.args[1] === next.args[1])) ??
      list.find((u) => keyOf(u) === keyOf(next))
    const direct = like(users)
    const onward =
      direct ??
      like(users.flatMap((u) => [...u.users])) ??
      like(users.flatMap((u) => [...u.users].flatMap((v) => [...v.users])))
    const to = onward ?? (users.length >= 1 ? users[0]! : null)
    // Only the last step is missing from the graph.
    if (!to) return next === output && keyOf(here) === keyOf(at) ? { node: here, before: here } : null
    at = next
    before = here
    here = to
  }
  return isFunctionOrMethod(here) ? { node: here, before } : null
}
