import type { ReportSummary } from '../../../workspace/types'
import { count } from '../../../base/english'
import { cx } from '../../ui/cx'
import css from '../../ui/text.module.css'
import styles from './SenderSaw.module.css'

/** Shows the result stored in a link, as the sender saw it, or a recorded one. */
export function SenderSaw({ summary }: { summary: ReportSummary }) {
  const whose = summary.recorded ? `Result that PyTorch ${summary.recorded} recorded` : 'Result that the sender saw'
  return (
    <section className={cx(css.pad, styles.saw)} aria-label={whose}>
      <p className={css.muted}>
        {whose}: {count(summary.nodesBefore, 'node')} before
        {summary.nodesAfter === null ? '' : `, ${summary.nodesAfter.toLocaleString('en-US')} after`}.
      </p>
      {summary.notes.map((n) => (
        <p key={n}>{n}</p>
      ))}
    </section>
  )
}
