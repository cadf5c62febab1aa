/** Tabs of the workspace's graphs. Hidden if there is only one. */
import { graphsOf, shownAt } from '../../../workspace/graphs'
import { openGraph } from '../../on_screen/shown_graph'
import { firedOn } from '../../report/matrix'
import { tabLabel } from '../../report/tab_label'
import { useRun } from '../../session/run_store'
import { useWorkspace } from '../../session/workspace_store'
import { CommandButton } from '../../commands/CommandButton'
import { Select } from '../../ui/Field'
import styles from './GraphBar.module.css'
import { css } from '../../ui/css'

export function GraphBar() {
  const workspace = useWorkspace((s) => s.workspace)
  const columns = useRun((s) => s.result.value?.columns)
  const graphs = graphsOf(workspace)
  if (graphs.length < 2) return null
  const names = graphs.map((g) => g.name)
  return (
    <nav className={styles.bar} aria-label="Graphs of this workspace">
      <label htmlFor="graph-picker">Graph</label>
      <Select
        id="graph-picker"
        mono
        data-testid="graph-picker"
        value={workspace.graph.name}
        onValue={openGraph}
        options={graphs.map((g) => [g.name, `${tabLabel(g.name, names)}${firedOn(columns, g.name)}`])}
      />
      <span className={css.num}>
        {shownAt(workspace) + 1} of {graphs.length}
      </span>
      <CommandButton command="graph-previous" icon="back" />
      <CommandButton command="graph-next" icon="forward" />
      <CommandButton command="graph-remove" icon="close" />
      <span className={css.spring} />
      <CommandButton command="compare" icon="mismatch" />
      <CommandButton command="patterns-by-graph" icon="table" />
    </nav>
  )
}
