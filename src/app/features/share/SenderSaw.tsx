import type { ReportSummary } from '../../../workspace/types'
import { count } from '../../../base/english'
import { cx } from '../../ui/cx'
import css from '../../ui/text.module.css'
import styles from './SenderSaw.module.css'

/** Over the verdict that came with a link: whose it is, and what else it said. */
export function SenderSaw({ summary }: { summary: ReportSummary }) {
  return (
    <section className={cx(css.pad, styles.saw)} aria-label="What the sender saw">
      <p className={css.muted}>
        What the sender saw: {count(summary.nodesBefore, 'node')} before
        {summary.nodesAfter === null ? '' : `, ${summary.nodesAfter.toLocaleString('en-US')} after`}.
      </p>
      {summary.notes.map((n) => (
        <p key={n}>{n}</p>
      ))}
    </section>
  )
}
