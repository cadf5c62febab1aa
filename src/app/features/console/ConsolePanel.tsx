/** Output, unit tests, stubbed modules and the traceback of the last run. */
import type { StubDecision } from '../../../engine/protocol'
import { decisionText } from '../../../engine/report/stub_decisions'
import { useRun } from '../../session/run_store'
import { SourceLink } from '../../ui/SourceLink'
import { TestsSection } from './TestsSection'
import { cx } from '../../ui/cx'
import { SectionTitle } from '../../ui/Section'
import { EmptyState } from '../../ui/Messages'
import styles from './ConsolePanel.module.css'
import css from '../../ui/text.module.css'

export function ConsolePanel() {
  const lines = useRun((s) => s.console)
  const stubs = useRun((s) => s.stubs)
  const inferred = useRun((s) => s.inferredOps)
  const python = useRun((s) => s.python)
  const timings = useRun((s) => s.report?.timings)
  const tested = useRun((s) => s.report?.tests !== undefined)
  const nothing = !tested && lines.length === 0 && stubs.length === 0 && inferred.length === 0 && !python
  return (
    <div className={styles.console} data-testid="console">
      {python && (
        <pre className={cx(css.wrap, styles.traceback)}>{python.traceback || `${python.type}: ${python.message}`}</pre>
      )}
      <TestsSection />
      {lines.length > 0 && (
        <pre className={css.wrap} aria-label="Output">
          {lines.map((l, i) => (
            <span key={i} className={cx(l.stream === 'stderr' && styles.stderr)}>
              {l.text.endsWith('\n') ? l.text : `${l.text}\n`}
            </span>
          ))}
        </pre>
      )}
      {stubs.length > 0 && (
        <section>
          <SectionTitle as="h3">Stubbed modules</SectionTitle>
          <ul>
            {stubs.map((s) => (
              <li key={s.module} className={cx(css.mono, css.wrap)}>
                {s.module}
                {s.asked.length > 0 && <span className={css.muted}>: {s.asked.join(', ')}</span>}{' '}
                {s.source && <SourceLink source={s.source} />}
                {s.decided && <Decisions decided={s.decided} />}
              </li>
            ))}
          </ul>
        </section>
      )}
      {inferred.length > 0 && (
        <section>
          <SectionTitle as="h3">Operators whose schema was inferred from the call</SectionTitle>
          <ul>
            {inferred.map((op) => (
              <li key={op} className={cx(css.mono, css.wrap)}>
                {op}
              </li>
            ))}
          </ul>
        </section>
      )}
      {nothing && <EmptyState className={styles.empty}>print() writes here. Nothing was printed.</EmptyState>}
      {timings && timings.totalMs > 0 && (
        <p className={cx(css.muted, css.pad, styles.timings)}>
          Last run {ms(timings.totalMs)} · Python {ms(timings.pythonMs)} · passes {ms(timings.applyMs)} · graph read in{' '}
          {ms(timings.parseMs)}
        </p>
      )}
    </div>
  )
}

/** What answers of a stub decided, with the lines. */
function Decisions({ decided }: { decided: readonly StubDecision[] }) {
  return (
    <ul className={styles.decisions} data-testid="stub-decisions">
      {decided.map((d, i) => (
        <li key={i}>
          {d.source && (
            <>
              <SourceLink source={d.source} />{' '}
            </>
          )}
          {decisionText(d)}
          {d.source?.code && <code className={styles.line}>{d.source.code}</code>}
        </li>
      ))}
    </ul>
  )
}

/** A duration in seconds, with tenths below ten seconds; a number and its unit stay on one line. */
const ms = (n: number): string => `${n < 10 ? n.toFixed(1) : Math.round(n).toLocaleString('en-US')}\u00a0ms`
