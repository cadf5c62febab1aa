import type { ReportSummary } from '../../../workspace/types'
import { count } from '../../../base/english'

/** Over the verdict that came with a link: whose it is, and what else it said. */
export function SenderSaw({ summary }: { summary: ReportSummary }) {
  return (
    <section className="pad sender-saw" aria-label="What the sender saw">
      <p className="muted">
        What the sender saw: {count(summary.nodesBefore, 'node')} before
        {summary.nodesAfter === null ? '' : `, ${summary.nodesAfter.toLocaleString('en-US')} after`}.
      </p>
      {summary.notes.map((n) => (
        <p key={n} className="note">
          {n}
        </p>
      ))}
    </section>
  )
}
