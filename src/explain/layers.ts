/** Compares the layer in which a pattern does not match with the layers in which it does. */
import { nameOfGroup, outlineOf, type InstanceDifference, type OutlineGroup } from '../fx'
import { makeCause, type Cause } from './causes'
import { isUnshaped, type NearMissFold } from './near_misses'
import type { PassToExplain } from './pass'

/** Minimum number and share of matching layers for a difference from them to be a cause. */
const LEAST_MATCHING = 2
const LEAST_SHARE = 0.5
/** Maximum number of nodes of a compared graph: one slice must not delay a newer request by more than 100 ms. */
const MAX_NODES = 15_000

/** The near misses; one in a layer that differs from the matching layers gets that difference as its last cause. */
export function withLayers(pass: PassToExplain, folds: readonly NearMissFold[]): NearMissFold[] {
  const matches = matchesByEntry(pass, folds)
  const candidates = folds.filter(
    (f) => !f.taken && !isUnshaped(f) && (matches.get(f.entry)?.nodes.length ?? 0) >= LEAST_MATCHING,
  )
  if (candidates.length === 0 || pass.graph.size > MAX_NODES) return [...folds]
  const { groups } = outlineOf(pass.graph)
  const layers = groups
    .filter((g) => g.level === 0 && g.times > LEAST_MATCHING)
    .map((g) => ({ ...g, label: nameOfGroup(g, groups) }))
  const indexes = layers.map(instancesByNode)
  return folds.map((fold) => {
    if (!candidates.includes(fold)) return fold
    for (const [i, group] of layers.entries()) {
      const cause = causeIn(group, indexes[i]!, fold, matches.get(fold.entry)!)
      if (cause) return { ...fold, causes: [...(fold.causes ?? []), cause] }
    }
    return fold
  })
}

/** Anchors of the matches of a pattern. */
interface Matches {
  nodes: string[]
  /** Some match only if the shapes that the graph lacks allow it. */
  unshaped: boolean
}

function matchesByEntry(pass: PassToExplain, folds: readonly NearMissFold[]): Map<number, Matches> {
  const found = new Map<number, Matches>()
  const add = (entry: number, nodes: readonly string[], unshaped: boolean): void => {
    const known = found.get(entry) ?? { nodes: [], unshaped: false }
    known.nodes.push(...nodes)
    known.unshaped ||= unshaped
    found.set(entry, known)
  }
  for (const { entry, node } of pass.matches) add(entry, [node], false)
  for (const fold of folds) if (isUnshaped(fold) && !fold.taken) add(fold.entry, fold.anchors, true)
  return found
}

function instancesByNode({ instances }: OutlineGroup): Map<string, number> {
  return new Map(instances.flatMap((names, k) => names.map((n): [string, number] => [n, k])))
}

/** The cause at the first anchor in a layer with fewer matches than most layers have; null if there is none. */
function causeIn(
  group: OutlineGroup,
  instanceOf: ReadonlyMap<string, number>,
  fold: NearMissFold,
  matches: Matches,
): Cause | null {
  const counts = new Int32Array(group.times)
  for (const node of matches.nodes) {
    const k = instanceOf.get(node)
    if (k !== undefined) counts[k]!++
  }
  const usual = [...counts].sort((a, b) => a - b)[group.times >> 1]!
  if (usual === 0) return null
  const matching = counts.filter((n) => n >= usual).length
  if (matching < LEAST_MATCHING || matching < group.times * LEAST_SHARE || matching === group.times) return null
  for (const anchor of fold.anchors) {
    const k = instanceOf.get(anchor)
    if (k === undefined || counts[k]! >= usual) continue
    const difference = nearest(
      group.differs.filter((d) => d.instance === k),
      fold,
    )
    if (!difference) continue
    const { what, nodes } = difference
    const reason = {
      kind: 'unlike-layers',
      layers: group.label ?? 'block',
      matching,
      of: group.times,
      unshaped: matches.unshaped,
      instance: k,
      what,
      nodes,
    } as const
    return makeCause({
      reason,
      graphNode: nodes[0] ?? anchor,
      expected: `${matching} of ${group.times}`,
      found: what,
    })
  }
  return null
}

/** The difference at a node that the near miss or its causes name, or else the first difference. */
function nearest(
  differences: readonly InstanceDifference[],
  { aligned, causes = [] }: NearMissFold,
): InstanceDifference | undefined {
  const named = new Set([...aligned, ...causes.flatMap((c) => c.graphNode ?? [])])
  return differences.find((d) => d.nodes.some((n) => named.has(n))) ?? differences[0]
}
