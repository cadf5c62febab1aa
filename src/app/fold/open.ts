/** Sets of open instances: the initial set of a graph, and the sets that commands make. */
import { instanceKey, pathOf } from './grouping'
import type { FoldGroup, FoldInstance, Grouping, OpenInstances } from './types'

/** A graph with more nodes than this is folded initially if a group repeats at least REPEATS times. */
const LARGE = 400
const REPEATS = 4
/** Parts of an instance with at most this many nodes open together with it. */
const SMALL_INSTANCE = 60

const NONE: OpenInstances = new Set()

/** True if the graph is too large to read at once and folding helps. */
export function foldsAtFirst({ nodes }: { nodes: ArrayLike<unknown> }, grouping: Grouping): boolean {
  return nodes.length > LARGE && grouping.groups.some((g) => g.parent === null && g.times >= REPEATS)
}

/**
 * One typical instance of the group that covers most of the graph, preferably one with matched nodes, and one instance of each of
 * its parts that have some. Among the equal layers of a period, the first.
 */
export function firstOpen(grouping: Grouping, matched: ReadonlySet<number>): OpenInstances {
  const largest = largestGroup(grouping)
  if (!largest) return NONE
  const unlike = new Set(largest.differs.map((d) => d.instance))
  const own = instancesOf(grouping, largest)
  const typical = own.filter(({ at }) => !unlike.has(at))
  const holds = ({ nodes }: FoldInstance): boolean => nodes.some((n) => matched.has(n))
  const chosen = typical.find(holds) ?? typical[0] ?? own[0]!
  const open = [chosen]
  for (const outer of open) {
    const inside = outer.group.first + outer.at
    for (const group of grouping.groups) {
      if (group.parent !== outer.group.index) continue
      const first = instancesOf(grouping, group).find((i) => i.parent === inside && holds(i))
      if (first) open.push(first)
    }
  }
  return new Set(open.map(instanceKey))
}

function largestGroup(grouping: Grouping): FoldGroup | null {
  let [largest, most] = [null as FoldGroup | null, 0]
  for (const group of grouping.groups) {
    if (group.parent !== null) continue
    const nodes = instancesOf(grouping, group).reduce((n, i) => n + i.nodes.length, 0)
    if (nodes > most) [largest, most] = [group, nodes]
  }
  return largest
}

export const instancesOf = ({ instances }: Grouping, { first, times }: FoldGroup): readonly FoldInstance[] =>
  instances.slice(first, first + times)

/** An instance and those inside it. */
function within({ instances }: Grouping, outer: FoldInstance): FoldInstance[] {
  const found = new Set([outer.group.first + outer.at])
  instances.forEach(({ parent }, i) => found.has(parent) && found.add(i))
  return [...found].map((i) => instances[i]!)
}

/** All instances: nothing is folded. */
export const allOpen = ({ instances }: Grouping): OpenInstances => new Set(instances.map(instanceKey))

/** A selection in more top instances than this opens none of them: blocks show that they contain part of it. */
const MAX_REVEALED = 3

/** Keys of the instances to open so that these nodes are drawn; none if the nodes are all over the graph. */
export function revealing(grouping: Grouping, nodes: readonly number[]): string[] {
  const tops = new Set<number>()
  const found = new Set<number>()
  for (const node of nodes) {
    const path = pathOf(grouping, node)
    if (path.length > 0) tops.add(path[0]!)
    for (const i of path) found.add(i)
  }
  if (tops.size > MAX_REVEALED) return []
  const parts = [...tops].flatMap((i) => openedWith(grouping, grouping.instances[i]!))
  return [...new Set([...[...found].map((i) => instanceKey(grouping.instances[i]!)), ...parts])]
}

/** Keys of an instance and of the instances that open with it: its parts, if it is small. */
function openedWith(grouping: Grouping, instance: FoldInstance): string[] {
  const small = instance.nodes.length <= SMALL_INSTANCE
  return (small ? within(grouping, instance) : [instance]).map(instanceKey)
}

/** The set plus these instances (indices into Grouping.instances) and those around them. */
export function openWith(grouping: Grouping, open: OpenInstances, instances: readonly number[]): OpenInstances {
  const all = new Set(open)
  for (const i of instances) {
    for (const key of openedWith(grouping, grouping.instances[i]!)) all.add(key)
    for (let at = i; at >= 0; at = grouping.instances[at]!.parent) all.add(instanceKey(grouping.instances[at]!))
  }
  return all
}

/** The set minus an instance and those inside it. */
export function without(grouping: Grouping, open: OpenInstances, instance: number): OpenInstances {
  const gone = new Set(within(grouping, grouping.instances[instance]!).map(instanceKey))
  return new Set([...open].filter((key) => !gone.has(key)))
}
