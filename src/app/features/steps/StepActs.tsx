/** The attempts of the current pattern as acts, stage one and stage two: outcome of each, and a way to its first step. */
import type { IndexedTimeline } from '../../on_screen/steps/timeline'
import { actsAt } from './acts'
import { useSteps } from '../../on_screen/steps/store'
import { Button } from '../../ui/Button'
import { Term } from '../lessons/Term'
import styles from './StepActs.module.css'
import css from '../../ui/text.module.css'

export function StepActs({ indexed, at }: { indexed: IndexedTimeline; at: number }) {
  const acts = actsAt(indexed, at)
  if (acts.length === 0) return null
  return (
    <nav className={styles.acts} aria-label="Stages of the match">
      {acts.map((act) => (
        <Button
          key={act.index}
          aria-current={act.current ? 'step' : undefined}
          data-tone={act.ok === null ? undefined : act.ok ? 'ok' : 'bad'}
          data-testid="step-act"
          onClick={() => useSteps.getState().goTo(act.index)}
        >
          {act.title}
          {act.outcome && <span>: {act.outcome}</span>}
        </Button>
      ))}
      {acts.length === 1 && acts[0]!.phase === 'initial' && acts[0]!.ok === false && (
        <span className={css.muted}>
          <Term id="stageTwo" quiet>
            Stage two
          </Term>{' '}
          is not reached
        </span>
      )}
    </nav>
  )
}
