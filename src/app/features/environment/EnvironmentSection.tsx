/** The simulated environment: one line above the patterns; unfolded, a form and the queries of the code. */
import type { Report } from '../../../engine/protocol'
import { DEFAULT_ENVIRONMENT, type Environment } from '../../../workspace/types'
import { changeBetween, environmentText, registeredIn, useEnvironment } from './environment'
import { count } from '../../../base/english'
import { useOfRun, useRun } from '../../session/run_store'
import { done } from '../../session/section'
import { useWorkspace } from '../../session/workspace_store'
import { SourceLink } from '../../ui/SourceLink'
import { EnvironmentForm } from './EnvironmentForm'
import { css, cx } from '../../ui/css'
import styles from './EnvironmentSection.module.css'
import { offText } from '../../../engine/switches/reason_text'
import { useAnswer } from '../../session/ask/ask_run'
import { Button } from '../../ui/Button'

export function EnvironmentSection({ report }: { report: Report }) {
  const own = useWorkspace((s) => s.workspace.environment)
  const environment = own ?? DEFAULT_ENVIRONMENT
  const queries = report.asked ?? []
  const off = decidedOff(report).length
  const open = useEnvironment((s) => s.open)
  return (
    <details
      className={cx(styles.environment, css.small, css.ruled)}
      data-testid="environment"
      open={open}
      onToggle={(e) => useEnvironment.setState({ open: e.currentTarget.open })}
    >
      <summary className={cx(css.baseline, css.pad)}>
        <span className={cx(styles.title, css.fixed, css.muted)}>Environment</span>
        <span className={css.ellipsis}>{environmentText(environment)}</span>
        <span className={cx(css.muted, styles.asked)} title="Environment queries of the code">
          {queries.length === 0 ? 'no queries' : count(queries.length, 'query', 'queries')}
          {off > 0 && `, ${off} off`}
        </span>
      </summary>
      {open && (
        <>
          <EnvironmentForm environment={environment} change={(next) => changeTo(next, report)} />
          <Answers report={report} />
          <OffList report={report} />
        </>
      )}
      <Change report={report} />
    </details>
  )
}

function changeTo(environment: Environment, report: Report): void {
  useEnvironment.setState({ before: done(registeredIn(report), useRun.getState().result.version) })
  useWorkspace.getState().setEnvironment(environment)
}

/** Each query of the code, its answer and its first source line. */
function Answers({ report }: { report: Report }) {
  const queries = report.asked ?? []
  if (queries.length === 0)
    return (
      <p className={cx(css.muted, styles.none)}>
        The code does not query its environment. <code>vllm.platforms</code>, <code>vllm.config</code>,{' '}
        <code>vllm_ascend.utils</code> and <code>torch_npu</code> answer from it.
      </p>
    )
  return (
    <ul className={styles.answers} aria-label="Environment queries of the code">
      {queries.map((a, i) => (
        <li key={i}>
          <code>{a.question}</code>
          <code className={css.num}>{a.answer}</code>
          {a.source && <SourceLink source={a.source} />}
        </li>
      ))}
    </ul>
  )
}

/** Effect of the last environment change on the registrations, with the deciding queries. */
function Change({ report }: { report: Report }) {
  const before = useEnvironment((s) => s.before)
  const current = useOfRun(before)
  if (!before.value || current) return null
  const { appeared, disappeared, decided } = changeBetween(before.value, registeredIn(report))
  return (
    <div className={styles.change} data-testid="environment-change" role="status">
      <p>
        {appeared.length + disappeared.length === 0
          ? 'The environment change did not affect the registrations.'
          : [
              ...(appeared.length > 0 ? [`${count(appeared.length, 'pattern')} appeared`] : []),
              ...(disappeared.length > 0 ? [`${count(disappeared.length, 'pattern')} disappeared`] : []),
            ].join(', ') + '.'}
      </p>
      {decided.length > 0 && (
        <ul>
          {decided.map((d, i) => (
            <li key={i}>
              <code>{d.question}</code> is now <code>{d.after}</code>, was <code>{d.before}</code>{' '}
              {d.source && <SourceLink source={d.source} />}
            </li>
          ))}
        </ul>
      )}
      <Names label="Appeared" names={appeared} />
      <Names label="Disappeared" names={disappeared} />
    </div>
  )
}

function Names({ label, names }: { label: string; names: readonly string[] }) {
  if (names.length === 0) return null
  return (
    <details>
      <summary className={css.muted}>
        {label} ({names.length})
      </summary>
      <ul className={css.mono}>
        {names.map((n, i) => (
          <li key={i}>{n}</li>
        ))}
      </ul>
    </details>
  )
}

type Off = NonNullable<Report['off']>

/** The registrations that an answer of the environment decided. */
const decided = (off: Off = []): Off => off.filter((o) => o.guards.length > 0)

const decidedOff = (report: Report): Off => decided(report.off)

/** What the environment turned off in this run, and, on request, the settings that would turn it on. */
function OffList({ report }: { report: Report }) {
  const {
    answer: tried,
    problem,
    busy,
    request,
  } = useAnswer('other settings', 'Other settings are tried', (client, signal) => client.turnedOn(signal))
  if (decidedOff(report).length === 0) return null
  return (
    <div className={styles.off} data-testid="switched-off">
      <div role="status">
        <ul aria-label="What the environment turned off">
          {decided(tried ?? report.off).map((o, i) => (
            <li key={i}>{offText(o, '')}</li>
          ))}
        </ul>
      </div>
      {!tried && (
        <Button aria-disabled={busy} onClick={request}>
          {busy ? 'Trying…' : 'Try other settings'}
        </Button>
      )}
      {problem !== null && (
        <p className={css.muted} role="alert">
          Other settings could not be tried: {problem}
        </p>
      )}
    </div>
  )
}
