/** What the Python printed, its unit tests, what it asked of modules that are not here, and how it failed. */
import { useRun } from '../../session/run_store'
import { SourceLink } from '../../ui/SourceLink'
import { TestsSection } from './TestsSection'

export function ConsolePanel() {
  const lines = useRun((s) => s.console)
  const stubs = useRun((s) => s.stubs)
  const inferred = useRun((s) => s.inferredOps)
  const python = useRun((s) => s.python)
  const timings = useRun((s) => s.report?.timings)
  const tested = useRun((s) => s.report?.tests !== undefined)
  const nothing = !tested && lines.length === 0 && stubs.length === 0 && inferred.length === 0 && !python
  return (
    <div className="console" data-testid="console">
      {python && <pre className="wrap traceback">{python.traceback || `${python.type}: ${python.message}`}</pre>}
      <TestsSection />
      {lines.length > 0 && (
        <pre className="wrap output" aria-label="Output">
          {lines.map((l, i) => (
            <span key={i} className={l.stream === 'stderr' ? 'stderr' : ''}>
              {l.text.endsWith('\n') ? l.text : `${l.text}\n`}
            </span>
          ))}
        </pre>
      )}
      {stubs.length > 0 && (
        <section>
          <h3 className="section-title">Modules that are not here: stand-ins answer what is asked of them</h3>
          <ul>
            {stubs.map((s) => (
              <li key={s.module} className="mono wrap">
                {s.module}
                {s.asked.length > 0 && <span className="muted">: {s.asked.join(', ')}</span>}{' '}
                {s.source && <SourceLink source={s.source} />}
              </li>
            ))}
          </ul>
        </section>
      )}
      {inferred.length > 0 && (
        <section>
          <h3 className="section-title">Operators whose schema was inferred from the call</h3>
          <ul>
            {inferred.map((op) => (
              <li key={op} className="mono wrap">
                {op}
              </li>
            ))}
          </ul>
        </section>
      )}
      {nothing && <p className="empty">print() writes here. Nothing was printed.</p>}
      {timings && timings.totalMs > 0 && (
        <p className="muted pad timings">
          Last run {ms(timings.totalMs)} · Python {ms(timings.pythonMs)} · passes {ms(timings.applyMs)} · graph read in{' '}
          {ms(timings.parseMs)}
        </p>
      )}
    </div>
  )
}

/** Tenths where they can be told apart; a number and its unit stay on one line. */
const ms = (n: number): string => `${n < 10 ? n.toFixed(1) : Math.round(n).toLocaleString('en-US')}\u00a0ms`
