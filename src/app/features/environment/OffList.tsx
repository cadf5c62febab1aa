/** What the environment turned off in this run, and, on request, the settings that turn it on. */
import type { Report } from '../../../engine/protocol'
import { offText } from '../../../engine/switches/reason_text'
import { useAnswer } from '../../session/ask/ask_run'
import { Button } from '../../ui/Button'
import styles from './EnvironmentSection.module.css'
import css from '../../ui/text.module.css'

type Off = NonNullable<Report['off']>

/** Those that an answer of the environment decided. */
const decided = (off: Off = []): Off => off.filter((o) => o.guards.length > 0)

export const decidedOff = (report: Report): Off => decided(report.off)

export function OffList({ report }: { report: Report }) {
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
