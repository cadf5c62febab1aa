/** The passes in execution order, and the graph after each. */
import type { Report } from '../../../engine/protocol'
import type { Pipeline } from '../../../engine/pipeline/types'
import { undoPasses } from './stage_requests'
import { usePipeline } from './store'
import { isHeld, useRun } from '../../session/run_store'
import { DumpedStages } from './DumpedStages'
import { CachePart } from './CachePart'
import { Scrubber } from './Scrubber'
import { StageList } from './StageList'
import { EmptyState, Notice } from '../../ui/Messages'
import styles from './PipelinePanel.module.css'

export function PipelinePanel() {
  const report = useRun((s) => s.report)
  const python = useRun((s) => s.python)
  const held = useRun(isHeld)
  const failure = usePipeline((s) => s.failure)
  if (!report?.pipeline)
    return (
      <>
        <DumpedStages />
        <EmptyState>{nothingYet(report, python !== null, held)}</EmptyState>
      </>
    )
  return (
    <div
      className={styles.pipeline}
      data-testid="pipeline"
      onKeyDown={(e) => {
        if (e.key.toLowerCase() !== 'z' || !(e.ctrlKey || e.metaKey) || e.shiftKey) return
        e.preventDefault()
        undoPasses()
      }}
    >
      <DumpedStages />
      <Parts report={report} pipeline={report.pipeline} failure={failure} />
    </div>
  )
}

function Parts({ report, pipeline, failure }: { report: Report; pipeline: Pipeline; failure: string | null }) {
  return (
    <>
      <Scrubber pipeline={pipeline} />
      {failure && (
        <Notice tone="bad" role="alert">
          {failure}
        </Notice>
      )}
      <StageList report={report} pipeline={pipeline} />
      <CachePart pipeline={pipeline} />
    </>
  )
}

function nothingYet(report: Report | null, failed: boolean, asked: boolean): string {
  if (asked) return 'The pipeline appears here after the code of this link has run.'
  if (failed) return 'The Python currently fails. The pipeline appears here once it runs.'
  return report ? 'Computing the pipeline…' : 'The pipeline appears here once the patterns have run.'
}
