/** Switches the shown graph of a workspace, and keeps the part of the selection that still applies. */
import { graphsOf, shownAt } from '../../workspace/graphs'
import type { Selection } from '../../workspace/types'
import { useView, toastUndo } from '../session/view_store'
import { useWorkspace } from '../session/workspace_store'

/** Keeps a selection of a pattern; drops a selection of a node or a place in the graph. */
const KEPT: readonly Selection['kind'][] = ['entry', 'patternNode']

/** Shows a graph of the workspace by its name. @param selection the selection to make on it */
export function openGraph(name: string, selection?: Selection): void {
  const { workspace, showGraph } = useWorkspace.getState()
  const { selection: before, select, setCamera } = useView.getState()
  if (name !== workspace.graph.name) {
    showGraph(name)
    setCamera(null)
    if (before && !KEPT.includes(before.kind)) select(null)
  }
  if (selection) select(selection)
}

/** Shows the next or the previous graph, with wraparound. */
export function stepGraph(by: 1 | -1): void {
  const { workspace } = useWorkspace.getState()
  const all = graphsOf(workspace)
  openGraph(all[(shownAt(workspace) + by + all.length) % all.length]!.name)
}

/** Removes the shown graph from the workspace. Undoable. */
export function removeShownGraph(): void {
  const { workspace, openFile, removeGraph } = useWorkspace.getState()
  const { select } = useView.getState()
  removeGraph()
  select(null)
  toastUndo(`${workspace.graph.name} removed.`, () => useWorkspace.getState().restoreGraphs(workspace, openFile))
}
