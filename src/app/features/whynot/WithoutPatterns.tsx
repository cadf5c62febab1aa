/** What Why not shows where no pattern ran. */
import type { Report } from '../../../engine/protocol'
import { definesNothing, nothingRuns } from '../../../engine/queries/report_text'
import { useView } from '../../session/view_store'
import { LinkButton } from '../../ui/Button'
import { EmptyState } from '../../ui/Messages'

/** Says why a run without patterns has no near misses. */
export function WithoutPatterns({ report }: { report: Report }) {
  if (definesNothing(report))
    return (
      <EmptyState>
        There is no pattern yet. Once one has run, each place where it almost matches is explained here.
      </EmptyState>
    )
  return (
    <EmptyState>
      <p>
        {/* What would run is in the verdict above. */}
        {nothingRuns(report) === null ? 'Only code on the graph ran' : 'No pattern has run'}: without patterns there are
        no near misses. <LinkButton onClick={() => useView.getState().setPanel('pipeline')}>Open Pipeline</LinkButton>
      </p>
    </EmptyState>
  )
}
