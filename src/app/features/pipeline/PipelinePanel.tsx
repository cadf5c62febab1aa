/** The passes in execution order, and the graph after each. */
import type { Report } from '../../../engine/protocol'
import type { Pipeline } from '../../../engine/pipeline/types'
import { undoPasses } from '../../on_screen/stage/stage_requests'
import { isRecorded } from '../../report/pipeline'
import { usePipeline } from '../../on_screen/stage/store'
import { isHeld, useRun } from '../../session/run_store'
import { useWorkspace } from '../../session/workspace_store'
import { DumpedStages } from './DumpedStages'
import { CachePart } from './CachePart'
import { Scrubber } from './Scrubber'
import { StageList } from './StageList'
import { EmptyState, Notice } from '../../ui/Messages'
import { css, cx } from '../../ui/css'

export function PipelinePanel() {
  const report = useRun((s) => s.result.value)
  const python = useRun((s) => s.outcome.value.python)
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
      className={css.small}
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
      {isRecorded(report) && <RecordedNote file={report.capture!.file} />}
      <StageList report={report} pipeline={pipeline} />
      <CachePart pipeline={pipeline} />
    </>
  )
}

function RecordedNote({ file }: { file: string }) {
  const hasFiles = useWorkspace((s) => s.workspace.files.some((f) => f.text.trim() !== ''))
  return (
    <p className={cx(css.pad, css.muted)} data-testid="recorded-passes">
      The passes are applied as {file} recorded them, so they cannot be switched or moved.{' '}
      {hasFiles
        ? 'Edit a file or the graph to change that: the files then register the patterns.'
        : 'The capture has no files that register the patterns (FUSESCOPE_SOURCES=1 records them).'}
    </p>
  )
}

function nothingYet(report: Report | null, failed: boolean, asked: boolean): string {
  if (asked) return 'The pipeline appears here after the code of this link has run.'
  if (failed) return 'The Python currently fails. The pipeline appears here once it runs.'
  return report ? 'Computing the pipeline…' : 'The pipeline appears here once the patterns have run.'
}
