/** Output, unit tests, stubbed modules and the traceback of the last run. */
import type { SchemaChoice, Stub, StubDecision, PythonTest } from '../../../engine/protocol'
import { choiceText } from '../../../engine/report/schema_choices'
import { decisionText } from '../../../engine/report/stub_decisions'
import { useRun } from '../../session/run_store'
import { SourceLink } from '../../ui/SourceLink'
import { FilesSection } from './FilesSection'
import { css, cx } from '../../ui/css'
import { SectionTitle } from '../../ui/Section'
import { EmptyState } from '../../ui/Messages'
import styles from './ConsolePanel.module.css'
import { failedAt, testsSentence } from '../../../engine/cases/unit_tests'
import { Breakable } from '../../ui/Breakable'
import testsSectionStyles from './TestsSection.module.css'

export function ConsolePanel() {
  const lines = useRun((s) => s.outcome.value.console)
  const stubs = useRun((s) => s.outcome.value.stubs)
  const inferred = useRun((s) => s.outcome.value.inferredOps)
  const python = useRun((s) => s.outcome.value.python)
  const timings = useRun((s) => s.result.value?.timings)
  const schemas = useRun((s) => s.result.value?.schemas) ?? []
  const tested = useRun((s) => s.result.value?.tests !== undefined)
  const listed = useRun((s) => s.result.value?.files !== undefined)
  const nothing = !tested && !listed && lines.length === 0 && stubs.length === 0 && inferred.length === 0 && !python
  return (
    <div className={styles.console} data-testid="console">
      {python && (
        <pre className={cx(css.wrap, styles.traceback)}>{python.traceback || `${python.type}: ${python.message}`}</pre>
      )}
      <FilesSection />
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
      {stubs.length > 0 && <StubsSection stubs={stubs} />}
      <InferredOperators inferred={inferred} />
      <SchemaVersions schemas={schemas} />
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

function InferredOperators({ inferred }: { inferred: readonly string[] }) {
  if (inferred.length === 0) return null
  return (
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
  )
}

/** Schema versions of cataloged operators in use, for operators with several known versions. */
function SchemaVersions({ schemas }: { schemas: readonly SchemaChoice[] }) {
  if (schemas.length === 0) return null
  return (
    <section data-testid="schema-versions">
      <SectionTitle as="h3">Versions of operator schemas</SectionTitle>
      <ul>
        {schemas.map((c) => (
          <li key={c.operator} className={cx(css.mono, css.wrap)} title={c.schema}>
            {c.operator}: <span className={css.muted}>{choiceText(c)}</span>
          </li>
        ))}
      </ul>
    </section>
  )
}

/** Missing modules, with the attributes that user code accessed. */
function StubsSection({ stubs }: { stubs: readonly Stub[] }) {
  return (
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
  )
}

/** What a stub's answers decided, with the lines. */
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
          {d.source?.code && <code className={cx(css.block, css.muted)}>{d.source.code}</code>}
        </li>
      ))}
    </ul>
  )
}

/** A duration in seconds, with tenths below ten seconds; a number and its unit stay on one line. */
const ms = (n: number): string => `${n < 10 ? n.toFixed(1) : Math.round(n).toLocaleString('en-US')}\u00a0ms`

/** The unit tests of the workspace's files with their results; clicking a test opens its line. */
function TestsSection() {
  const tests = useRun((s) => s.result.value?.tests)
  if (!tests) return null
  return (
    <section data-testid="tests">
      <SectionTitle as="h3">{testsSentence(tests)}</SectionTitle>
      <ul className={testsSectionStyles.tests}>
        {tests.map((t) => (
          <Test key={`${t.file} ${t.name}`} test={t} />
        ))}
      </ul>
    </section>
  )
}

function Test({ test }: { test: PythonTest }) {
  return (
    <li data-outcome={test.outcome}>
      <span className={testsSectionStyles.outcome}>{test.outcome}</span>
      <span className={css.mono}>
        <Breakable text={test.name} />
      </span>
      <span className={cx(testsSectionStyles.took, css.muted)}>{test.ms.toFixed(1)} ms</span>
      <div className={testsSectionStyles.where}>
        <SourceLink source={failedAt(test)} />
        {test.message && <p className={css.wrap}>{test.message}</p>}
      </div>
    </li>
  )
}
