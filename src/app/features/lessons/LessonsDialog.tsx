/** The list of lessons, with the learner's progress. */
import { useEffect } from 'react'
import { count } from '../../../base/english'
import { useView } from '../../session/view_store'
import { useWorkspace } from '../../session/workspace_store'
import { IconButton, LinkButton } from '../../ui/Button'
import { Dialog } from '../../ui/Dialog'
import { EmptyState } from '../../ui/Messages'
import { lessonOf, type LessonInfo } from './catalog'
import { loadLessonList, openLesson } from './open_lesson'
import { progressOf, useProgress } from './progress'
import { useLessons } from './store'
import styles from './LessonsDialog.module.css'
import css from '../../ui/text.module.css'

const close = (): void => useView.getState().setOverlay(null)

export function LessonsDialog() {
  const { list, problem } = useLessons()
  useEffect(() => void loadLessonList(), [])
  return (
    <Dialog label="Lessons" flush className={styles.lessons} onClose={close}>
      <div className={styles.top}>
        <div>
          <h2>Learn the pattern matcher</h2>
          <p className={css.muted}>
            {list.length > 0 && `${count(list.length, 'lesson')} with ${count(exercises(list), 'exercise')}. `}
            Each runs on the engine of this page; take them in any order.
          </p>
        </div>
        <LinkButton onClick={() => useView.getState().setOverlay('glossary')}>Glossary</LinkButton>
        <IconButton
          variant="quiet"
          icon="close"
          size={16}
          label="Close the lessons"
          hint="Close (Esc)"
          onClick={close}
        />
      </div>
      {list.length === 0 && <EmptyState role="status">{problem ?? 'Loading the lessons…'}</EmptyState>}
      <ol className={styles.list}>
        {list.map((lesson, i) => (
          <Row key={lesson.id} lesson={lesson} number={i + 1} />
        ))}
      </ol>
    </Dialog>
  )
}

const exercises = (list: readonly LessonInfo[]): number =>
  list.reduce((n, l) => n + l.steps.filter((s) => s.exercise).length, 0)

function Row({ lesson, number }: { lesson: LessonInfo; number: number }) {
  const { seen, solved } = useProgress((s) => progressOf(s.progress, lesson.id))
  const isOpen = useWorkspace((s) => lessonOf(s.origin)?.id === lesson.id)
  const tasks = lesson.steps.filter((s) => s.exercise)
  const done = tasks.filter((s) => solved.includes(s.id)).length
  const read = lesson.steps.filter((s) => seen.includes(s.id)).length
  return (
    <li>
      <button
        className={styles.row}
        data-testid={`lesson-${lesson.id}`}
        aria-current={isOpen || undefined}
        onClick={() => {
          close()
          void openLesson(lesson.id)
        }}
      >
        <span className={styles.number}>{number}</span>
        <span className={styles.text}>
          <strong>{lesson.title}</strong>
          <span>{lesson.summary}</span>
        </span>
        <span className={styles.progress}>
          {read > 0 ? `${read} of ${count(lesson.steps.length, 'step')}` : `${lesson.minutes} min`}
          {tasks.length > 0 && <br />}
          {tasks.length > 0 && `${done > 0 ? `${done} of ` : ''}${count(tasks.length, 'exercise')}`}
          {tasks.length > 0 && done === tasks.length && ' ✓'}
        </span>
      </button>
    </li>
  )
}
