/** The outline of a graph as node indices, for the page. */
import { indexedOutlineOf, nameOfGroup, type Graph } from '../../fx'

export interface OutlineDifferenceView {
  /** Index into OutlineGroupView.instances. */
  instance: number
  /** Completes "layer 17 …": `has no residual add (aten.add.Tensor)`. */
  what: string
  /** Indices of the affected nodes; empty for missing nodes. */
  nodes: number[]
}

/** Equal subgraphs that follow each other, such as the layers of a model. */
export interface OutlineGroupView {
  /** Unique in the outline. A parent precedes the groups inside it. */
  id: number
  /** The group whose instances contain these; null for a part of the whole graph. */
  parent: number | null
  /** Instances in each instance of the parent. */
  perParent: number
  /** `layer`, `attention`, `MLP`, …; `period` for one that holds layers */
  label: string
  /** Indices of nodes, by instance, ascending. */
  instances: number[][]
  differs: OutlineDifferenceView[]
}

/** @returns null if nothing repeats */
export function outlineViewOf(graph: Graph): OutlineGroupView[] | null {
  const groups = indexedOutlineOf(graph)
    .filter((g) => g.label !== null && g.times > 1)
    .sort((a, b) => a.id - b.id)
  if (groups.length === 0) return null
  const named = new Set(groups.flatMap((g) => g.differs.flatMap((d) => d.nodes)))
  const index = new Map<string, number>()
  let at = 0
  for (const { name } of named.size > 0 ? graph.nodes() : []) {
    if (named.has(name)) index.set(name, at)
    at++
  }
  const indices = (names: readonly string[]): number[] => names.map((n) => index.get(n)!).sort((a, b) => a - b)
  return groups.map(({ differs, ...group }) => ({
    ...{ id: group.id, parent: group.parent, perParent: group.perParent, instances: group.instances },
    label: nameOfGroup(group, groups)!,
    differs: differs.map(({ instance, what, nodes }) => ({ instance, what, nodes: indices(nodes) })),
  }))
}
