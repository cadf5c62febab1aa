/** Which of the workspace's graphs is on the canvas, and the way to the others. Nothing where there is only one. */
import { graphsOf, shownAt } from '../../../workspace/graphs'
import { openGraph } from './graphs'
import { firedOn } from '../patterns/matrix'
import { tabLabel } from '../editor/tab_label'
import { useRun } from '../../session/run_store'
import { useWorkspace } from '../../session/workspace_store'
import { IconButton } from '../../shell/Header'
import './graph_bar.css'

export function GraphBar() {
  const workspace = useWorkspace((s) => s.workspace)
  const columns = useRun((s) => s.report?.columns)
  const graphs = graphsOf(workspace)
  if (graphs.length < 2) return null
  const names = graphs.map((g) => g.name)
  return (
    <div className="graph-bar" role="group" aria-label="Graphs of this workspace">
      <label htmlFor="graph-picker">Graph</label>
      <select
        id="graph-picker"
        className="picker mono"
        data-testid="graph-picker"
        value={workspace.graph.name}
        onChange={(e) => openGraph(e.target.value)}
      >
        {graphs.map((g) => (
          <option key={g.name} value={g.name}>
            {tabLabel(g.name, names)}
            {firedOn(columns, g.name)}
          </option>
        ))}
      </select>
      <span className="num">
        {shownAt(workspace) + 1} of {graphs.length}
      </span>
      <IconButton command="graph-previous" icon="back" />
      <IconButton command="graph-next" icon="forward" />
      <IconButton command="graph-remove" icon="close" />
      <span className="spring" />
      <IconButton command="patterns-by-graph" icon="table" />
    </div>
  )
}
