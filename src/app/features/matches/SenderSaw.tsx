import type { ReportSummary } from '../../../workspace/types'
import { count } from '../../../base/english'
import { cx } from '../../ui/cx'
import css from '../../ui/text.module.css'
import styles from './SenderSaw.module.css'

/** Shows the result stored in a link, as the sender saw it. */
export function SenderSaw({ summary }: { summary: ReportSummary }) {
  return (
    <section className={cx(css.pad, styles.saw)} aria-label="Result that the sender saw">
      <p className={css.muted}>
        Result that the sender saw: {count(summary.nodesBefore, 'node')} before
        {summary.nodesAfter === null ? '' : `, ${summary.nodesAfter.toLocaleString('en-US')} after`}.
      </p>
      {summary.notes.map((n) => (
        <p key={n}>{n}</p>
      ))}
    </section>
  )
}
