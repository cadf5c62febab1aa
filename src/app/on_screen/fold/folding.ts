/** Opens and folds instances. */
import type { GroupBy } from '../../../workspace/types'
import { openWith, without } from '../../fold/open'
import { instanceKey, pathOf } from '../../fold/grouping'
import type { Block, OpenInstances } from '../../fold/types'
import { positions } from '../../../engine/queries/report_index'
import { graphOfSide, useRun } from '../../session/run_store'
import { useView } from '../../session/view_store'
import { useWorkspace } from '../../session/workspace_store'
import { ALL, foldNow, groupByNow, groupingOfSide, isPlain, openOf, type Folding, type Side } from './folded'
import { NOTHING_OPEN, useFold } from './store'

/** The open instances of the graph on screen; null if nothing can fold. */
export function openNow(): Folding | null {
  const before = graphOfSide(useRun.getState(), 'before')
  const grouping = groupingOfSide('before')
  if (!before || !grouping) return null
  return { grouping, open: openOf(before, grouping, foldNow()) }
}

function choose(chosen: OpenInstances | null, names: readonly string[] | null, by = groupByNow()): void {
  const { seq } = useView.getState()
  useFold.setState({
    graph: useWorkspace.getState().workspace.graph.name,
    by,
    chosen,
    revealed: NOTHING_OPEN,
    revealedAt: seq,
    shown: names && { names, own: false },
  })
}

/** For ViewState.unfolded; null for a graph that is not folded. */
export function unfoldedNow(): string[] | null {
  const before = graphOfSide(useRun.getState(), 'before')
  const now = openNow()
  if (!now || !before || isPlain(before, { by: groupByNow(), ...now })) return null
  return now.grouping.instances.every((i) => now.open.has(instanceKey(i))) ? [ALL] : [...now.open].sort()
}

export const groupBy = (by: GroupBy): void => choose(null, null, by)

export function openAll(): void {
  if (openNow()) choose(new Set([ALL]), null)
}

export function foldAll(): void {
  if (openNow()) choose(NOTHING_OPEN, null)
}

/** Opens the first or all instances of a side's block, and shows the first. */
export function openBlock(side: Side, { first, last }: Block, which: 'first' | 'all'): void {
  const instances = Array.from({ length: which === 'first' ? 1 : last - first + 1 }, (_, i) => first + i)
  openInstances(side, instances)
}

/** @param instances indices into Grouping.instances */
export function openInstances(side: Side, instances: readonly number[]): void {
  const now = openNow()
  if (!now) return
  const graph = graphOfSide(useRun.getState(), side)!
  const { nodes } = groupingOfSide(side)!.instances[instances[0]!]!
  choose(
    openWith(now.grouping, now.open, instances),
    instances.length > 1 ? null : nodes.map((n) => graph.nodes[n]!.name),
  )
}

/** @param instance index into Grouping.instances */
export function fold(instance: number): void {
  const now = openNow()
  if (now) choose(without(now.grouping, now.open, instance), null)
}

/** The instances around the selected node, the outermost first. */
export function instancesAround(side: Side, name: string): number[] {
  const graph = graphOfSide(useRun.getState(), side)
  const grouping = groupingOfSide(side)
  const at = graph && positions(graph).get(name)
  return grouping && at !== undefined && at !== null ? pathOf(grouping, at) : []
}
