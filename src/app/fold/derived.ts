/** The grouping for a graph that passes derived from another graph: the same groups, so that both fold alike. */
import type { GraphView } from '../../engine/protocol'
import { groupingOf, type GroupSource } from './grouping'
import type { Grouping } from './types'

/** Nodes that a pass removed, and those that it put in their place. */
export interface Replaced {
  nodes: readonly string[]
  added: readonly string[]
}

/**
 * A node of both graphs stays in its instance. A new node goes to the instance of the nodes that it replaces, or else of its users
 * or inputs.
 */
export function derivedGrouping(
  grouping: Grouping,
  before: GraphView,
  after: GraphView,
  replaced: readonly Replaced[],
): Grouping {
  const at = new Map(before.nodes.map((n, i) => [n.name, i]))
  const innermost = new Int32Array(after.nodes.length).fill(UNKNOWN)
  const added = instancesOfAdded(grouping, at, replaced)
  after.nodes.forEach(({ name }, i) => {
    const old = at.get(name)
    innermost[i] = added.get(name) ?? (old === undefined ? UNKNOWN : grouping.innermost[old]!)
  })
  for (let i = innermost.length - 1; i >= 0; i--)
    if (innermost[i] === UNKNOWN) innermost[i] = most(after.nodes[i]!.users.map((u) => innermost[u]!)) ?? UNKNOWN
  for (let i = 0; i < innermost.length; i++)
    if (innermost[i] === UNKNOWN) innermost[i] = most(after.nodes[i]!.inputs.map((u) => innermost[u]!)) ?? -1
  return withInnermost(grouping, innermost)
}

/** A node whose instance is not known yet; -1 is a node outside all instances. */
const UNKNOWN = -2

function instancesOfAdded(
  { innermost }: Grouping,
  at: ReadonlyMap<string, number>,
  replaced: readonly Replaced[],
): Map<string, number> {
  const found = new Map<string, number>()
  for (const { nodes, added } of replaced) {
    const instance = most(nodes.flatMap((n) => innermost[at.get(n) ?? -1] ?? []))
    if (instance !== undefined) for (const n of added) found.set(n, instance)
  }
  return found
}

/** The most frequent known instance. */
function most(instances: readonly number[]): number | undefined {
  const counts = new Map<number, number>()
  let best: number | undefined
  for (const i of instances) {
    if (i === UNKNOWN) continue
    counts.set(i, (counts.get(i) ?? 0) + 1)
    if (best === undefined || counts.get(i)! > counts.get(best)!) best = i
  }
  return best
}

function withInnermost(grouping: Grouping, innermost: Int32Array): Grouping {
  const nodes: number[][] = grouping.instances.map(() => [])
  innermost.forEach((own, n) => {
    for (let i = own; i >= 0; i = grouping.instances[i]!.parent) nodes[i]!.push(n)
  })
  const sources = grouping.groups.map(({ first, times, ...group }): GroupSource => {
    const own = grouping.instances.slice(first, first + times)
    const outer = group.parent === null ? null : grouping.groups[group.parent]!.first
    return {
      ...group,
      // The nodes that differ belong to the graph before the passes.
      differs: group.differs.map((d) => ({ ...d, nodes: [] })),
      instances: nodes.slice(first, first + times),
      ...(outer !== null && { parents: own.map((i) => i.parent - outer) }),
      ...(own[0]?.title !== undefined && { titles: own.map((i) => i.title!) }),
    }
  })
  return groupingOf(innermost.length, sources)
}
