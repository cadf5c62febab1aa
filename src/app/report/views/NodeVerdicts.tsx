/** PyTorch's own verdict at a node of a captured run. */
import type { PassReport, Report } from '../../../engine/protocol'
import { markOf } from '../../../engine/queries/report_index'
import { PatternBadge } from '../../ui/PatternBadge'
import { SectionTitle } from '../../ui/Section'
import { css, cx } from '../../ui/css'
import { differsAt, verdictOn, verdictsAt, verdictWords } from '../capture_verdict'
import styles from './CaptureVerdict.module.css'

/** One pattern at one node, in a line; nothing for a workspace that does not come from a capture. */
export function NodeVerdictLine({
  report,
  pass,
  entry,
  node,
}: {
  report: Report
  pass: PassReport
  entry: number
  node: string
}) {
  if (!report.capture || !pass.pytorch) return null
  const verdict = verdictOn(pass, entry, node)
  const { words, reason } = verdict
    ? verdictWords(verdict)
    : { words: 'failed at the anchor itself, or did not try it', reason: null }
  const differs = differsAt(pass, entry, node)
  return (
    <p className={styles.line} data-differs={differs || undefined} data-testid="node-verdict">
      PyTorch {report.capture.torch} {words} at <code>{node}</code>
      {reason ? ':' : ''}
      {differs ? ', unlike Fusescope' : ''}
      {reason && <span className={cx(css.mono, css.wrap, css.block)}>{reason}</span>}
    </p>
  )
}

/** All patterns that PyTorch tried at a node. */
export function NodeVerdicts({ report, node }: { report: Report; node: string }) {
  const verdicts = verdictsAt(report, node)
  if (!report.capture || verdicts.length === 0) return null
  return (
    <section aria-label="PyTorch’s verdict at this node">
      <SectionTitle as="h3">PyTorch {report.capture.torch} here</SectionTitle>
      {verdicts.slice(0, 50).map(({ pass, verdict }, i) => (
        <div key={i} className={css.pad}>
          <PatternBadge mark={markOf(report, pass.name, verdict.entry)} hollow /> {pass.entries[verdict.entry]?.title}
          <NodeVerdictLine report={report} pass={pass} entry={verdict.entry} node={node} />
        </div>
      ))}
    </section>
  )
}
