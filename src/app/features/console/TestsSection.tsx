/** The unit tests of the workspace's files with their results; clicking a test opens its line. */
import type { PythonTest } from '../../../engine/protocol'
import { failedAt, testsSentence } from '../../../engine/cases/unit_tests'
import { useRun } from '../../session/run_store'
import { Breakable } from '../../ui/Breakable'
import { SourceLink } from '../../ui/SourceLink'
import { SectionTitle } from '../../ui/Section'
import { cx } from '../../ui/cx'
import styles from './TestsSection.module.css'
import css from '../../ui/text.module.css'

export function TestsSection() {
  const tests = useRun((s) => s.result.value?.tests)
  if (!tests) return null
  return (
    <section data-testid="tests">
      <SectionTitle as="h3">{testsSentence(tests)}</SectionTitle>
      <ul className={styles.tests}>
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
      <span className={styles.outcome}>{test.outcome}</span>
      <span className={css.mono}>
        <Breakable text={test.name} />
      </span>
      <span className={cx(styles.took, css.muted)}>{test.ms.toFixed(1)} ms</span>
      <div className={styles.where}>
        <SourceLink source={failedAt(test)} />
        {test.message && <p className={css.wrap}>{test.message}</p>}
      </div>
    </li>
  )
}
