/** An exercise: its goals with their state, Why not's answer to the current attempt, hints and the solution. */
import { useEffect, useState } from 'react'
import { putSent } from '../../session/consent'
import { useRun } from '../../session/run_store'
import { useView } from '../../session/view_store'
import { useWorkspace } from '../../session/workspace_store'
import { Button, LinkButton } from '../../ui/Button'
import { Icon } from '../../ui/icons'
import { MessageText } from '../../ui/MessageText'
import { useExercise, type ExerciseState } from './attempt'
import type { Exercise } from '../../../engine/lessons/catalog'
import type { Workspace } from '../../../workspace/types'
import { setHeld, useHeld } from '../../on_screen/held'
import { answerOf } from '../../../engine/lessons/answer'
import { withEdits } from '../../../engine/lessons/edits'
import { InlineText } from './InlineText'
import { publishedWorkspace, restartStep } from './open_lesson'
import { markSolved, progressOf, useProgress } from './progress'
import styles from './Exercise.module.css'
import { css, cx } from '../../ui/css'

interface ExerciseProps {
  lesson: string
  step: string
  workspace: string
  exercise: Exercise
}

export function ExerciseView({ lesson, step, workspace, exercise }: ExerciseProps) {
  const published = usePublished(lesson, workspace)
  const { goals, solved, working, report } = useExercise(exercise, published?.graph.text ?? null)
  const before = useProgress((s) => progressOf(s.progress, lesson).solved.includes(step))
  const untried = useUntried(published) && !before && !solved
  useEffect(() => {
    setHeld(untried)
    return () => setHeld(false)
  }, [untried])
  useEffect(() => {
    if (solved) markSolved(lesson, step)
  }, [solved, lesson, step])
  return (
    <section className={styles.exercise} data-solved={solved || undefined} aria-label="Exercise" data-testid="exercise">
      <h3 className={styles.head}>
        Exercise
        {(solved || before) && (
          <span className={styles.solved} data-testid="solved">
            <Icon name="check" /> {solved ? 'Solved' : 'Solved before'}
          </span>
        )}
      </h3>
      <ul className={cx(styles.goals, css.stack, css.gap1)} aria-label="Goals">
        {goals.map((g, i) => (
          <li key={i} className={css.cluster} data-holds={!g.differs || undefined}>
            <span className={styles.mark} aria-hidden="true">
              {!g.differs ? '✓' : g.pending ? '…' : '○'}
            </span>
            <span className={css.hidden}>{!g.differs ? 'Met: ' : 'Open: '}</span>
            <span>
              <MessageText message={g.goal} graph={report?.graph ?? null} />
            </span>
          </li>
        ))}
      </ul>
      <div className={styles.answer} role="status" aria-live="polite" data-testid="lesson-answer">
        {solved ? <p>All goals are met.</p> : <AttemptAnswer {...{ goals, working, report }} />}
      </div>
      <Hints key={`${lesson}/${step}`} exercise={exercise} />
    </section>
  )
}

/** The first goal that is not met, and the first cause of Why not. */
function AttemptAnswer({ goals, working, report }: Omit<ExerciseState, 'solved'>) {
  const held = useHeld((s) => s.held)
  if (working) return <p className={css.muted}>Running…</p>
  if (held) return <p className={css.muted}>The first cause appears here after your first attempt.</p>
  const answer = report && answerOf(report)
  const wrong = goals.find((g) => g.differs && !g.pending)
  return (
    <>
      {wrong?.differs && (
        <p>
          <MessageText message={wrong.differs} graph={report?.graph ?? null} />
        </p>
      )}
      {answer && (
        <p>
          <strong>Why not: </strong>
          <MessageText message={answer.parts} graph={report?.graph ?? null} />{' '}
          <LinkButton onClick={() => useView.getState().setPanel('whynot')}>All causes</LinkButton>
        </p>
      )}
    </>
  )
}

function Hints({ exercise }: { exercise: Exercise }) {
  const [shown, setShown] = useState(0)
  const [asked, setAsked] = useState(false)
  const { hints, solution } = exercise
  return (
    <div className={cx(css.stack, css.gap2)}>
      <ol className={cx(styles.hints, css.stack, css.gap2)} aria-label="Hints" hidden={shown === 0}>
        {hints.slice(0, shown).map((hint) => (
          <li key={hint}>
            <InlineText text={hint} />
          </li>
        ))}
      </ol>
      {asked && (
        <div className={cx(styles.solution, css.stack, css.gap2)} data-testid="solution">
          {solution.map((edit, i) => (
            <pre key={i} tabIndex={0} aria-label={`Solution in ${edit.file}`}>
              {lines('- ', edit.find)}
              {'\n'}
              {lines('+ ', edit.replace)}
            </pre>
          ))}
          <Button onClick={() => void applySolution(exercise)} data-testid="apply-solution">
            Apply the solution
          </Button>
        </div>
      )}
      <div className={cx(css.cluster, css.gap2, css.wraps)}>
        {shown < hints.length && (
          <Button onClick={() => setShown(shown + 1)} data-testid="hint">
            {shown === 0 ? 'Hint' : 'Another hint'} ({shown + 1} of {hints.length})
          </Button>
        )}
        {!asked && <Button onClick={() => setAsked(true)}>Show the solution</Button>}
        <Button variant="quiet" onClick={() => void restartStep()}>
          Start over
        </Button>
      </div>
    </div>
  )
}

const lines = (mark: string, text: string): string =>
  text
    .split('\n')
    .map((line) => mark + line)
    .join('\n')

/** Applies the solution to the published files. */
async function applySolution({ solution }: Exercise): Promise<void> {
  await restartStep()
  putSent(withEdits(useWorkspace.getState().workspace, solution))
}

/** The workspace of the exercise as its author wrote it; null until it is loaded. */
function usePublished(lesson: string, workspace: string): Workspace | null {
  const [published, setPublished] = useState<Workspace | null>(null)
  const started = useRun((s) => s.result.value !== null)
  useEffect(() => {
    let gone = false
    publishedWorkspace(lesson, workspace).then(
      (stored) => !gone && setPublished(stored.workspace),
      () => undefined,
    )
    return () => {
      gone = true
    }
  }, [lesson, workspace, started])
  return published
}

/** True while the workspace has the published texts. */
function useUntried(published: Workspace | null): boolean {
  const { graph, files } = useWorkspace((s) => s.workspace)
  const text = (all: Workspace['files']): string => JSON.stringify(all.map((f) => [f.name, f.text]))
  return published !== null && graph.text === published.graph.text && text(files) === text(published.files)
}
