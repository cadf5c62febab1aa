/** Opens a cell of the table: its graph with its folder, at the matches of the pass or at its near misses. */
import { withGraphs } from '../../../workspace/graphs'
import { rememberOrigin } from '../../session/kept_ids'
import { openWorkspace, reopenLater } from '../../session/open_workspace'
import { toast, useView } from '../../session/view_store'
import { newOrigin } from '../../session/workspace_store'
import type { TableFolder, TableGraph } from './table_store'

export function openCell(
  { draft, name }: TableFolder,
  pass: string | null,
  graph: TableGraph,
  { count }: { count: number | null },
): void {
  const undo = reopenLater()
  const origin = newOrigin()
  rememberOrigin(origin)
  useView.getState().setOverlay(null)
  openWorkspace({
    workspace: withGraphs({ ...draft.workspace, name }, [{ ...graph.file, name: graph.name }], 0),
    origin,
    foreign: draft.foreign,
    view: {
      panel: count ? 'matches' : 'whynot',
      selection: pass === null ? null : { kind: 'entry', pass, index: 0 },
    },
  })
  toast(`${name} on ${graph.name} is open.`, { action: { label: 'Undo', run: undo } })
}
