/** The unit tests of the workspace's files and what they came to: a press on one goes to its line. */
import type { TestReport } from '../../../engine/protocol'
import { failedAt, testsSentence } from '../../../engine/cases/unit_tests'
import { useRun } from '../../session/run_store'
import { Breakable } from '../../ui/Breakable'
import { SourceLink } from '../../ui/SourceLink'
import './tests.css'

export function TestsSection() {
  const tests = useRun((s) => s.report?.tests)
  if (!tests) return null
  return (
    <section data-testid="tests">
      <h3 className="section-title">{testsSentence(tests)}</h3>
      <ul className="tests">
        {tests.map((t) => (
          <Test key={`${t.file} ${t.name}`} test={t} />
        ))}
      </ul>
    </section>
  )
}

function Test({ test }: { test: TestReport }) {
  return (
    <li className={test.outcome}>
      <span className="outcome">{test.outcome}</span>
      <span className="mono">
        <Breakable text={test.name} />
      </span>
      <span className="took muted">{test.ms.toFixed(1)} ms</span>
      <div className="where">
        <SourceLink source={failedAt(test)} />
        {test.message && <p className="wrap">{test.message}</p>}
      </div>
    </li>
  )
}
