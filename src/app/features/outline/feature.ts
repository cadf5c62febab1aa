/** The outline, and the commands that fold and open the graph's repeated parts. */
import { inGroup } from '../../commands/types'
import { GROUP_BY, type GroupBy } from '../../../workspace/types'
import { groupedBy } from '../../fold/group_by'
import { instanceTitle } from '../../fold/block_text'
import { instanceKey } from '../../fold/grouping'
import { graphOfSide, useRun } from '../../session/run_store'
import { toast, useView } from '../../session/view_store'
import { drawingSteps, groupByNow } from '../../on_screen/fold/folded'
import { fold, foldAll, groupBy, instancesAround, openAll, openInstances, openNow } from '../../on_screen/fold/folding'
import { GROUP_LABELS } from './group_by'
import { differenceOf } from './outline_rows'
import { useFold } from '../../on_screen/fold/store'
import type { Feature } from '../types'
import { OutlinePanel } from './OutlinePanel'

const canGroup = (by: GroupBy): boolean => {
  const run = useRun.getState()
  const graph = graphOfSide(run, 'before')
  return graph !== null && groupedBy(by, graph, run.result.value) !== null
}

const canFold = (): boolean => openNow() !== null

const COMMANDS = inGroup('Graph', [
  { id: 'fold-all', title: 'Fold all layers into blocks', keys: ['Shift+Z'], enabled: canFold, run: foldAll },
  { id: 'open-all', title: 'Open all folded layers', enabled: canFold, run: openAll },
  {
    id: 'fold-layer',
    title: 'Fold the layer of the selected node, or open it',
    keys: ['Z'],
    enabled: () => aroundSelection().length > 0,
    run: toggleAroundSelection,
  },
  {
    id: 'next-differing',
    title: 'Go to the next layer that differs from its siblings',
    keys: ['Shift+L'],
    enabled: () => differing().length > 0,
    run: goToNextDiffering,
  },
  ...GROUP_BY.map((by) => ({
    id: `group-by-${by}`,
    title: `Group the graph by ${GROUP_LABELS[by].toLowerCase()}`,
    enabled: () => groupByNow() !== by && canGroup(by),
    run: () => groupBy(by),
  })),
])

function aroundSelection(): number[] {
  const { selection } = useView.getState()
  return selection?.kind === 'node' ? instancesAround(selection.side, selection.name) : []
}

/** Folds the innermost open instance around the selected node, or opens all around it. */
function toggleAroundSelection(): void {
  const now = openNow()!
  const path = aroundSelection()
  const isOpen = (i: number): boolean => now.open.has(instanceKey(now.grouping.instances[i]!))
  const firstFolded = path.findIndex((i) => !isOpen(i))
  if (firstFolded < 0) fold(path.at(-1)!)
  else openInstances('before', [path.at(-1)!])
}

/** Outermost instances that differ, as indices into Grouping.instances. */
function differing(): number[] {
  const now = openNow()
  if (!now) return []
  return now.grouping.groups
    .filter((g) => g.parent === null)
    .flatMap((g) => [...new Set(g.differs.map((d) => g.first + d.instance))])
    .sort((a, b) => a - b)
}

function goToNextDiffering(): void {
  const all = differing()
  const { differingAt } = useFold.getState()
  const next = all.find((i) => i > differingAt) ?? all[0]!
  openInstances('before', [next])
  useFold.setState({ differingAt: next })
  const instance = openNow()!.grouping.instances[next]!
  toast(`${instanceTitle(instance)} ${differenceOf(instance)}.`)
}

export const outlineFeature: Feature = {
  panel: {
    id: 'outline',
    label: 'Outline',
    title: 'Outline: what repeats in the graph, and where it differs',
    key: 'Shift+O',
    Component: OutlinePanel,
  },
  commands: COMMANDS,
  sessionPart: () => ({
    onLargeGraph: (graph) => drawingSteps(graph, null),
    onLargeReport: (report) => drawingSteps(report.graph, report),
  }),
}
