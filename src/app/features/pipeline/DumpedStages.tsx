/** The pipeline that dumps of passes record: a graph per pass, each beside its own counts. */
import { useMemo } from 'react'
import { count, listed } from '../../../base/english'
import { graphsOf } from '../../../workspace/graphs'
import { useWorkspace } from '../../session/workspace_store'
import { SectionTitle } from '../../ui/Section'
import { css, cx } from '../../ui/css'
import { openGraph } from '../../on_screen/shown_graph'
import { dumpedStages, type DumpedStage } from './dumped_stages'
import styles from './StageRow.module.css'

/** Maximum number of node names in a tooltip. */
const MAX_NAMES = 12

export function DumpedStages() {
  const workspace = useWorkspace((s) => s.workspace)
  const stages = useMemo(() => dumpedStages(graphsOf(workspace)), [workspace])
  if (stages.length === 0) return null
  return (
    <section data-testid="dumped-stages">
      <SectionTitle className={css.pad}>Dumped pipeline</SectionTitle>
      <ol aria-label="Dumps of passes">
        {stages.map((stage, i) => (
          <li
            key={stage.graph}
            className={styles.stage}
            data-given
            data-selected={stage.graph === workspace.graph.name || undefined}
          >
            <DumpedRow stage={stage} first={i === 0} />
          </li>
        ))}
      </ol>
    </section>
  )
}

function DumpedRow({ stage, first }: { stage: DumpedStage; first: boolean }) {
  const { graph, pass, nodes, added, removed } = stage
  const changed = added.length + removed.length > 0
  return (
    <button className={styles.main} title={changed ? changesText(stage) : graph} onClick={() => openGraph(graph)}>
      <span className={cx(css.spring, css.mono, css.ellipsis)}>{pass}</span>
      <span className={cx(styles.numLine, changed ? styles.change : css.muted)}>
        {first ? '' : changed ? `+${added.length} −${removed.length}, ` : 'no change, '}
        {count(nodes, 'node')}
      </span>
    </button>
  )
}

function changesText({ added, removed }: DumpedStage): string {
  const parts = [
    ...(added.length > 0 ? [`added: ${listed(added, MAX_NAMES)}`] : []),
    ...(removed.length > 0 ? [`removed: ${listed(removed, MAX_NAMES)}`] : []),
  ]
  return parts.join('; ')
}
