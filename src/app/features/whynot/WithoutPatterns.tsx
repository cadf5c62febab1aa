/** What Why not shows for code on the graph. */
import type { Report } from '../../../engine/protocol'
import { definesNothing, nothingRuns } from '../../../engine/queries/report_text'
import type { PipelineStage } from '../../../engine/pipeline/types'
import { keptFrom } from '../../../engine/pipeline/condition_text'
import { ownStages } from '../../../engine/queries/report_index'
import { StageConditions } from '../../report/views/Conditions'
import { useRun } from '../../session/run_store'
import { useView } from '../../session/view_store'
import { LinkButton } from '../../ui/Button'
import { EmptyState } from '../../ui/Messages'
import { css } from '../../ui/css'
import { Fixes } from './NearMissCard'

/** The conditions of the code if only code on the graph ran; otherwise why there are no near misses. */
export function WithoutPatterns({ report }: { report: Report }) {
  if (definesNothing(report))
    return (
      <EmptyState>
        There is no pattern yet. Once one has run, each place where it almost matches is explained here.
      </EmptyState>
    )
  const asked = ownStages(report).filter(({ did }) => did?.conditions)
  if (asked.length > 0) return asked.map((stage) => <AskedByCode key={stage.name} report={report} stage={stage} />)
  return (
    <EmptyState>
      <p>
        {/* The verdict above says which code would run. */}
        {nothingRuns(report) === null ? 'Only code on the graph ran' : 'No pattern has run'}: without patterns there are
        no near misses. <LinkButton onClick={() => useView.getState().setPanel('pipeline')}>Open Pipeline</LinkButton>
      </p>
    </EmptyState>
  )
}

/** What kept code on the graph that ran beside patterns from an edit. */
export function CodeBesidePatterns({ report }: { report: Report }) {
  const stages = report.passes.length === 0 ? [] : ownStages(report).filter((stage) => keptFrom(stage).length > 0)
  return stages.map((stage) => <AskedByCode key={stage.name} report={report} stage={stage} />)
}

/** The conditions of a stage, with changes after which it edits the graph. */
function AskedByCode({ report, stage }: { report: Report; stage: PipelineStage }) {
  const running = useRun((s) => s.result.fixes === 'running')
  const isTried = running && !stage.did?.edits && keptFrom(stage).some((c) => c.instead)
  return (
    <>
      <StageConditions
        report={report}
        stage={stage}
        more={({ fixes, tried }) => (fixes || tried) && <Fixes report={report} causes={[{ fixes, tried }]} />}
      />
      {isTried && <p className={css.muted}>Trying fixes…</p>}
    </>
  )
}
