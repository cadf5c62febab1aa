/** PyTorch's verdict on the run beside Fusescope's, and each place where they differ. */
import type { PassReport, Report, VerdictDifference } from '../../../engine/protocol'
import { markOf } from '../../../engine/queries/report_index'
import { NodeLink } from '../../ui/NodeLink'
import { PatternBadge } from '../../ui/PatternBadge'
import { css, cx } from '../../ui/css'
import { pytorchCount, verdictHeadline } from '../capture_verdict'
import styles from './CaptureVerdict.module.css'

/** Number of differences shown initially. */
const SHOWN = 8

/** Renders nothing for a workspace that does not come from a capture. */
export function CaptureVerdict({ report }: { report: Report }) {
  const headline = verdictHeadline(report)
  if (!headline) return null
  const { capture, passes } = report
  const state = capture!.agrees ? 'agrees' : capture!.edited && !capture!.now ? 'edited' : 'differs'
  return (
    <section className={styles.verdict} data-state={state} data-testid="capture-verdict" aria-label="PyTorch’s verdict">
      <h3>{headline.title}</h3>
      <p>{headline.detail}</p>
      {passes.length > 1 && (
        <ul className={styles.passes}>
          {passes.map((p) => (
            <li key={p.name}>
              <code className={css.ellipsis}>{p.name}</code>
              <span className={css.num}>PyTorch {pytorchCount(p)}</span>
              <span className={css.num}>Fusescope {p.count}</span>
            </li>
          ))}
        </ul>
      )}
      {passes.map((p) => (
        <Differences key={p.name} report={report} pass={p} />
      ))}
      {capture!.notes.map((note, i) => (
        <p key={i} className={css.muted}>
          {note}
        </p>
      ))}
    </section>
  )
}

function Differences({ report, pass }: { report: Report; pass: PassReport }) {
  const all = pass.pytorch?.differences ?? []
  if (all.length === 0) return null
  const [first, rest] = [all.slice(0, SHOWN), all.slice(SHOWN)]
  const rows = (list: readonly VerdictDifference[]) => (
    <ul className={styles.differences} aria-label={`Differences in ${pass.name}`}>
      {list.map((d, i) => (
        <li key={i} data-testid="verdict-difference">
          {d.entry !== null && <PatternBadge mark={markOf(report, pass.name, d.entry)} hollow />}
          {d.node === null ? <span>{pass.name}</span> : <NodeLink name={d.node} />}
          <dl>
            <dt className={css.muted}>PyTorch</dt>
            <dd className={css.wrap}>{d.pytorch}</dd>
            <dt className={css.muted}>Fusescope</dt>
            <dd className={css.wrap}>{d.ours}</dd>
          </dl>
        </li>
      ))}
    </ul>
  )
  return (
    <>
      {rows(first)}
      {rest.length > 0 && (
        <details>
          <summary className={cx(css.muted)}>{rest.length} more differences</summary>
          {rows(rest)}
        </details>
      )}
    </>
  )
}
