/** The result of a GPU run: verdict, outputs, times. */
import type { RunReport, Verdict } from '../../../gpu/types'
import { asCsv, asJson, asMarkdown, deviceLine, verdictTone } from './run_text'
import { MessageText } from '../../ui/MessageText'
import { CopyButtons } from './CopyButtons'
import { RunOutputs } from './RunOutputs'
import { RunTimes } from './RunTimes'
import { Notice } from '../../ui/Messages'
import { css, cx } from '../../ui/css'
import { SectionTitle } from '../../ui/Section'
import styles from './RunResult.module.css'

export function RunResult({ report }: { report: RunReport }) {
  // Causes that the message names are not listed again.
  const causes = report.verdict.causes.filter((c) => !report.verdict.named.includes(c.id))
  return (
    <>
      <div
        className={cx(styles.verdict, css.rounded, css.pad)}
        data-tone={verdictTone(report.verdict.kind)}
        data-testid="run-verdict"
        role="status"
      >
        <VerdictText verdict={report.verdict} />
      </div>
      {causes.length > 0 && (
        <ul className={cx(css.stack, css.gap2, css.small)}>
          {causes.map((c) => (
            <li key={c.id}>
              The fused kernel {c.text} <span className={css.muted}>({c.proven ? 'proven' : 'possible'})</span>
            </li>
          ))}
        </ul>
      )}
      {report.problems.map((p) => (
        <Notice key={p} tone="bad">
          {p}
        </Notice>
      ))}
      {report.outputs.length > 0 && <RunOutputs outputs={report.outputs} />}
      {report.cut && report.cut.length > 0 && <CutCalls cut={report.cut} />}
      <RunTimes report={report} />
      <p className={css.muted}>{deviceLine(report)}</p>
      <ul className={cx(css.stack, css.gap2, css.small, css.muted)}>
        {report.tokens !== null && <li>{report.tokens.toLocaleString('en-US')} tokens.</li>}
        {report.referenceRows !== null && (
          <li>The CPU reference computed {report.referenceRows.toLocaleString('en-US')} rows.</li>
        )}
        {report.notes.map((n) => (
          <li key={n}>{n}</li>
        ))}
      </ul>
      <CopyButtons
        texts={{ JSON: () => asJson(report), Markdown: () => asMarkdown(report), CSV: () => asCsv(report) }}
      />
    </>
  )
}

/** `Close: …` with the headline emphasized. */
function VerdictText({ verdict: { headline, parts } }: { verdict: Verdict }) {
  return (
    <>
      {headline !== null && <strong className={css.large}>{headline}:</strong>} <MessageText message={parts} />
    </>
  )
}

/** Calls without a kernel: how the run handled them, and how to add a kernel. */
function CutCalls({ cut }: { cut: NonNullable<RunReport['cut']> }) {
  return (
    <section aria-label="Skipped calls">
      <SectionTitle as="h4">Skipped in both graphs</SectionTitle>
      <ul className={cx(css.stack, css.gap2, css.small)}>
        {cut.map((c) => (
          <li key={c.target}>
            <span className={css.mono}>{c.target}</span>{' '}
            <span className={css.muted}>({c.calls === 1 ? '1 call' : `${c.calls} calls`})</span>
          </li>
        ))}
      </ul>
      <p className={css.muted}>
        Their inputs are compared; their results are made up, identically on both sides. Add a .wgsl file with a kernel
        to run one.
      </p>
    </section>
  )
}
