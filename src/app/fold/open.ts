/** Sets of open instances: the first one of a graph, and what commands make of it. */
import type { GraphView } from '../../engine/protocol'
import { instanceKey, pathOf } from './grouping'
import type { Block, FoldGroup, FoldInstance, Grouping, OpenInstances } from './types'

/** A graph with more nodes than this is folded at first, if a group repeats at least REPEATS times. */
const LARGE = 400
const REPEATS = 4
/** Parts of an instance of at most this many nodes are open with it. */
const SMALL_INSTANCE = 60

const NONE: OpenInstances = new Set()

/** True if the whole graph is too much to read at once, and folding it helps. */
export function foldsAtFirst({ nodes }: GraphView, grouping: Grouping): boolean {
  return nodes.length > LARGE && grouping.groups.some((g) => g.parent === null && g.times >= REPEATS)
}

/** One typical instance of the group that covers most of the graph. */
export function firstOpen(grouping: Grouping): OpenInstances {
  let [largest, most] = [null as FoldGroup | null, 0]
  for (const group of grouping.groups) {
    if (group.parent !== null) continue
    const nodes = instancesOf(grouping, group).reduce((n, i) => n + i.nodes.length, 0)
    if (nodes > most) [largest, most] = [group, nodes]
  }
  if (!largest) return NONE
  const unlike = new Set(largest.differs.map((d) => d.instance))
  const own = instancesOf(grouping, largest)
  const typical = own.find(({ at }) => !unlike.has(at)) ?? own[0]!
  const keys = typical.nodes.length <= SMALL_INSTANCE ? within(grouping, typical) : [typical]
  return new Set(keys.map(instanceKey))
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

/** The keys of all instances around these nodes, which must be open to draw the nodes. */
export function around(grouping: Grouping, nodes: readonly number[]): string[] {
  const found = new Set<number>()
  for (const node of nodes) for (const i of pathOf(grouping, node)) found.add(i)
  return [...found].map((i) => instanceKey(grouping.instances[i]!))
}

/** Keys of the first or of all instances of a block, with the parts of small ones. */
export function keysOf(grouping: Grouping, { group, first, last }: Block, which: 'first' | 'all'): string[] {
  const to = which === 'first' ? first : last
  const found: FoldInstance[] = []
  for (let i = first; i <= to; i++) {
    const instance = grouping.instances[i]!
    if (instance.nodes.length <= SMALL_INSTANCE && group.parent === null) found.push(...within(grouping, instance))
    else found.push(instance)
  }
  return found.map(instanceKey)
}

/** The set without an instance and those inside it. */
export function without(grouping: Grouping, open: OpenInstances, instance: number): OpenInstances {
  const gone = new Set(within(grouping, grouping.instances[instance]!).map(instanceKey))
  return new Set([...open].filter((key) => !gone.has(key)))
}
