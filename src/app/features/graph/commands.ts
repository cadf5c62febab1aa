/** Commands of the graph view: mode, camera, search, selection, and the workspace's several graphs. */
import type { CanvasMode } from '../../../workspace/types'
import { activeCanvas } from '../../commands/surfaces'
import { inGroup, type Command } from '../../commands/types'
import { useRun, runEnded } from '../../session/run_store'
import { useView, toast, toastUndo } from '../../session/view_store'
import { useWorkspace } from '../../session/workspace_store'
import { endPicking } from '../../on_screen/picked/picking'
import { removeShownGraph, stepGraph } from '../../on_screen/shown_graph'
import { usePatterns } from '../patterns/store'
import { messageOf } from '../../../base/error_message'
import { engine } from '../../session/runner'
import { currentSession } from '../../session/session'

/** Lowers the shown graph to the operators that traced patterns hold, as another graph of the workspace. */
async function lowerShownGraph(): Promise<void> {
  const signal = currentSession().only('lower')
  const { workspace, openFile, version } = useWorkspace.getState()
  const { select } = useView.getState()
  try {
    await runEnded()
    const text = await (await engine()).lower()
    // After an edit or a switch to another workspace in the meantime, the text belongs to neither.
    if (signal.aborted || useWorkspace.getState().version !== version) return
    const [name] = useWorkspace.getState().addGraphs([{ name: loweredName(workspace.graph.name), text }])
    select(null)
    toastUndo(`${name} added: the graph as fwd_only traces it.`, () =>
      useWorkspace.getState().restoreGraphs(workspace, openFile),
    )
  } catch (e) {
    if (!signal.aborted) toast(messageOf(e), { tone: 'bad' })
  }
}

/** `dump.py` → `dump.lowered.py`. */
const loweredName = (name: string): string => name.replace(/(\.[^.]*)?$/, '.lowered$1')

const view = useView.getState
const mode = (m: CanvasMode) => () => view().setMode(m)
const hasAfter = (): boolean => useRun.getState().result.value?.after != null
const hasSeveralGraphs = (): boolean => useWorkspace.getState().workspace.graphs !== undefined

export const GRAPH_COMMANDS: readonly Command[] = [
  ...inGroup('Graph', [
    { id: 'mode-before', title: 'Show the graph before', keys: ['1'], run: mode('before') },
    { id: 'mode-after', title: 'Show the graph after', keys: ['2'], enabled: hasAfter, run: mode('after') },
    {
      id: 'mode-split',
      title: 'Show before and after side by side',
      keys: ['3'],
      enabled: hasAfter,
      run: mode('split'),
    },
    { id: 'fit', title: 'Fit the graph to the window', keys: ['F'], run: () => activeCanvas()?.fit() },
    { id: 'zoom-in', title: 'Zoom in', keys: ['+', '='], run: () => activeCanvas()?.zoomIn() },
    { id: 'zoom-out', title: 'Zoom out', keys: ['-'], run: () => activeCanvas()?.zoomOut() },
    {
      id: 'search',
      title: 'Find nodes by name, operator, type, pattern or source line',
      keys: ['/', 'Mod+F'],
      run: () => view().setSearch({ open: true }),
    },
    {
      id: 'reveal',
      title: 'Center the selection',
      keys: ['C'],
      enabled: () => view().selection !== null,
      run: () => view().select(view().selection),
    },
    { id: 'clear', title: 'Clear the selection', keys: ['Escape'], run: clear },
    {
      id: 'graph-lower',
      title: 'Lower the graph to the operators that traced patterns hold',
      enabled: () => useRun.getState().result.value !== null && useRun.getState().result.sent === null,
      run: () => void lowerShownGraph(),
    },
    {
      id: 'graph-next',
      title: 'Next graph of the workspace',
      keys: ['J'],
      enabled: hasSeveralGraphs,
      run: () => stepGraph(1),
    },
    {
      id: 'graph-previous',
      title: 'Previous graph of the workspace',
      keys: ['K'],
      enabled: hasSeveralGraphs,
      run: () => stepGraph(-1),
    },
    {
      id: 'graph-remove',
      title: 'Remove this graph from the workspace',
      enabled: hasSeveralGraphs,
      run: removeShownGraph,
    },
  ]),
  {
    id: 'patterns-by-graph',
    title: 'Patterns by graphs: matches of each pattern on each graph',
    group: 'Panels',
    keys: ['T'],
    enabled: hasSeveralGraphs,
    run: openPatternsByGraph,
  },
]

/** The table of patterns by graphs, in the Patterns panel. */
function openPatternsByGraph(): void {
  usePatterns.setState({ show: 'graphs' })
  view().setPanel('patterns')
}

/** Closes the overlay, else the search, else clears the selection. */
function clear(): void {
  const { overlay, search, setOverlay, setSearch, select } = view()
  if (overlay) setOverlay(null)
  else if (search.open) setSearch({ open: false })
  else {
    endPicking()
    select(null)
  }
}
