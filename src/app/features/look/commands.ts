/** Commands that draw a part of the graph. */
import { inGroup } from '../../commands/types'
import { useRun } from '../../session/run_store'
import { useView } from '../../session/view_store'
import { useNewPattern } from '../../on_screen/picked/store'
import {
  copyName,
  isolate,
  selectedNames,
  showPath,
  showUses,
  showWhole,
  toggleViews,
} from '../../on_screen/look/actions'
import { isWhole, lookNow, useLook } from '../../on_screen/look/store'

const hasGraph = (): boolean => useRun.getState().graphRead.value !== null
const hasSelection = (): boolean => hasGraph() && selectedNames().length > 0

/** The node on screen at the selection; null without one. */
function selectedNode(): string | null {
  const { selection } = useView.getState()
  return selection?.kind === 'node' ? selection.name : null
}

/** The ends of a path: two picked nodes. */
function ends(): [string, string] | null {
  const { picked } = useNewPattern.getState()
  return picked.length === 2 ? [picked[0]!, picked[1]!] : null
}

export const LOOK_COMMANDS = inGroup('Graph', [
  {
    id: 'look-isolate',
    title: 'Draw only the selection, with its inputs and users',
    keys: ['Shift+F'],
    enabled: hasSelection,
    run: () => isolate(selectedNames()),
  },
  {
    id: 'look-whole',
    title: 'Draw the whole graph',
    keys: ['Shift+I'],
    enabled: () => !isWhole(lookNow()),
    run: showWhole,
  },
  { id: 'look-views', title: 'Hide or show views and sizes', keys: ['Shift+W'], enabled: hasGraph, run: toggleViews },
  {
    id: 'look-uses',
    title: 'Draw all uses of the selected node',
    keys: ['U'],
    enabled: () => selectedNode() !== null,
    run: () => showUses(selectedNode()!),
  },
  {
    id: 'look-path',
    title: 'Draw the paths between two picked nodes (shift-click picks)',
    enabled: () => ends() !== null,
    run: () => showPath(...ends()!),
  },
  {
    id: 'legend',
    title: 'Legend: what colors and signs on the graph mean',
    keys: ['Shift+G'],
    enabled: hasGraph,
    run: () => useLook.setState((s) => ({ legend: !s.legend })),
  },
  {
    id: 'copy-name',
    title: 'Copy the name of the selected node',
    keys: ['Shift+C'],
    enabled: () => selectedNode() !== null,
    run: () => void copyName(selectedNode()!),
  },
])
