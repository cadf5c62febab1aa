/** Selects the table's graphs and folders, and runs it. */
import { count } from '../../../base/english'
import { graphsOf } from '../../../workspace/graphs'
import { useWorkspace } from '../../session/workspace_store'
import { Button } from '../../ui/Button'
import { Notice } from '../../ui/Messages'
import { css, cx } from '../../ui/css'
import { takeDropped } from './drop'
import { pick } from '../../files/download'
import { cancelTable, runTable } from './run_table'
import { useTable, type GraphSource } from './table_store'

export function TableTools() {
  const { sources, added, progress, problem } = useTable()
  const open = useWorkspace((s) => graphsOf(s.workspace).filter((g) => g.text.trim() !== '').length)
  const labels: readonly (readonly [GraphSource, string])[] = [
    ['workspace', `this workspace (${open})`],
    ['gallery', 'the gallery'],
    ...(added.length > 0 ? ([['added', `added (${added.length})`]] as const) : []),
  ]
  return (
    <>
      <div className={cx(css.row, css.wraps)}>
        <span>Run on the graphs of</span>
        {labels.map(([source, label]) => (
          <label key={source} className={cx(css.row, css.gap2)}>
            <input
              type="checkbox"
              checked={sources[source]}
              onChange={() => useTable.getState().toggleSource(source)}
            />
            {label}
          </label>
        ))}
        <Button onClick={() => pick((files) => takeDropped(files))}>Add graphs…</Button>
        <span className={css.spring} />
        {progress && (
          <span role="status" className={css.muted} data-testid="table-progress">
            {progress.total === 0 ? 'Reading graphs' : `${progress.done} of ${count(progress.total, 'cell')}`}
          </span>
        )}
        {progress ? (
          <Button onClick={cancelTable}>Cancel</Button>
        ) : (
          <Button variant="primary" onClick={() => void runTable()}>
            Run on all graphs
          </Button>
        )}
      </div>
      {problem && <Notice tone="bad">{problem}</Notice>}
    </>
  )
}
