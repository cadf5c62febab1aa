/** Whether the numbers of each match hold, on request: in words, and in color where they hold, differ or were not compared. */
import { matchNumbersText, type MatchNumbers } from '../../../engine/numbers/match_numbers_text'
import { useAnswer } from '../../session/ask/ask_run'
import { Badge } from '../../ui/Badge'
import { Button } from '../../ui/Button'
import { css } from '../../ui/css'
import styles from './MatchesPanel.module.css'

const TONES = { holds: 'good', 'not-compared': 'warn', differs: 'bad' } as const
const WORDS = { holds: 'numbers hold', 'not-compared': 'not compared', differs: 'numbers differ' } as const

/** Close numbers hold but are not equal, so they are not green. */
function NumbersBadge({ numbers: { state, result } }: { numbers: MatchNumbers }) {
  if (result.numbers === 'close') return <Badge tone="warn">numbers close</Badge>
  return <Badge tone={TONES[state]}>{WORDS[state]}</Badge>
}

export function MatchNumbersList() {
  const {
    answer: numbers,
    problem,
    busy,
    request,
  } = useAnswer('match numbers', 'Numbers are compared', (client, signal) => client.matchNumbers(signal))
  return (
    <div className={styles.numbers}>
      {problem !== null && (
        <p className={css.muted} role="alert">
          The numbers could not be compared: {problem}
        </p>
      )}
      <div role="status">
        {numbers && (
          <ul aria-label="Numbers of the matches">
            {numbers.map((n, i) => (
              <li key={i}>
                <NumbersBadge numbers={n} /> {matchNumbersText(n)}
              </li>
            ))}
          </ul>
        )}
      </div>
      {!numbers && (
        <Button aria-disabled={busy} onClick={request}>
          {busy ? 'Comparing…' : 'Compare the numbers'}
        </Button>
      )}
    </div>
  )
}
