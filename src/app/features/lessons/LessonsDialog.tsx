/** The list of lessons, with the learner's progress. */
import { useEffect } from 'react'
import { count } from '../../../base/english'
import { closeOverlay, useView } from '../../session/view_store'
import { useWorkspace } from '../../session/workspace_store'
import { LinkButton } from '../../ui/Button'
import { Dialog, DialogTop } from '../../ui/Dialog'
import { EmptyState } from '../../ui/Messages'
import { OwnLessons } from './own/OwnLessons'
import { lessonOf } from '../../session/kept_ids'
import type { LessonInfo } from '../../../engine/lessons/catalog'
import { loadLessonList, openLesson } from './open_lesson'
import { progressOf, stepsDone, useProgress } from './progress'
import { useLessons } from './store'
import styles from './LessonsDialog.module.css'
import { css, cx } from '../../ui/css'

export function LessonsDialog() {
  const { list, problem } = useLessons()
  useEffect(() => void loadLessonList(), [])
  const lessons = list.filter((l) => !l.kind)
  const articles = list.filter((l) => l.kind === 'article')
  return (
    <Dialog label="Lessons" flush tall width={760}>
      <DialogTop>
        <div>
          <h2>Learn the pattern matcher</h2>
          <p className={css.muted}>
            {list.length > 0 && `${count(lessons.length, 'lesson')} with ${count(exercises(list), 'exercise')}. `}
            Each lesson runs on this page’s engine and uses terms from the lessons before it.
          </p>
          <Start lessons={lessons} />
        </div>
        <LinkButton onClick={() => document.getElementById('articles')?.scrollIntoView({ block: 'start' })}>
          Articles
        </LinkButton>
        <LinkButton onClick={() => useView.getState().setOverlay('glossary')}>Glossary</LinkButton>
        <LinkButton onClick={() => useView.getState().setOverlay('class')}>Class page</LinkButton>
      </DialogTop>
      {list.length === 0 && <EmptyState role="status">{problem ?? 'Loading the lessons…'}</EmptyState>}
      <div className={styles.list}>
        <ol>
          {lessons.map((lesson, i) => (
            <Row key={lesson.id} lesson={lesson} number={i + 1} />
          ))}
        </ol>
        {articles.length > 0 && <Articles list={articles} />}
        <OwnLessons />
      </div>
    </Dialog>
  )
}

/** Where to begin or go on, and which lessons are enough for a start. */
function Start({ lessons }: { lessons: readonly LessonInfo[] }) {
  const progress = useProgress((s) => s.progress)
  const read = (l: LessonInfo): number => stepsDone(l, progressOf(progress, l.id))
  const next = lessons.find((l) => read(l) > 0 && read(l) < l.steps.length) ?? lessons.find((l) => read(l) === 0)
  const core = lessons.filter((l) => l.core)
  if (!next) return null
  return (
    <p>
      {lessons.some((l) => read(l) > 0) ? 'Go on with ' : 'Begin with '}
      <LinkButton data-testid="lessons-next" onClick={() => open(next.id)}>
        {next.title}
      </LinkButton>
      .{' '}
      <span className={css.muted}>
        The {core.length} lessons marked “core” ({core.reduce((n, l) => n + l.minutes, 0)} min) are enough to read and
        repair a pattern.
      </span>
    </p>
  )
}

function open(id: string, step?: number): void {
  closeOverlay()
  void openLesson(id, step)
}

const exercises = (list: readonly LessonInfo[]): number =>
  list.reduce((n, l) => n + l.steps.filter((s) => s.exercise).length, 0)

/** Published articles, each with its steps and how many of its claims hold. */
function Articles({ list }: { list: readonly LessonInfo[] }) {
  return (
    <section aria-labelledby="articles" data-testid="articles">
      <div className={styles.articles}>
        <h3 id="articles" className={css.large}>
          Articles
        </h3>
        <p className={css.muted}>
          Published texts on the pattern matcher, retold on live graphs. Each claim is marked: confirmed on PyTorch
          2.14.1, not confirmed, or different.
        </p>
      </div>
      <ol>
        {list.map((article, i) => (
          <Row key={article.id} lesson={article} number={i + 1} />
        ))}
      </ol>
    </section>
  )
}

/** "14 claims: 9 confirmed, 4 differ, 1 not confirmed" */
function marksText({ confirmed, differs, 'not-confirmed': open }: NonNullable<LessonInfo['marks']>): string {
  const parts = [`${confirmed} confirmed`, differs && `${differs} differ`, open && `${open} not confirmed`]
  return `${count(confirmed + differs + open, 'claim')}: ${parts.filter(Boolean).join(', ')}.`
}

function Row({ lesson, number }: { lesson: LessonInfo; number: number }) {
  const progress = useProgress((s) => progressOf(s.progress, lesson.id))
  const isOpen = useWorkspace((s) => lessonOf(s.origin)?.id === lesson.id)
  const tasks = lesson.steps.filter((s) => s.exercise)
  const done = tasks.filter((s) => progress.solved.includes(s.id)).length
  const read = stepsDone(lesson, progress)
  return (
    <li>
      <button
        className={styles.row}
        data-testid={`lesson-${lesson.id}`}
        aria-current={isOpen || undefined}
        onClick={() => open(lesson.id)}
      >
        <span className={styles.number}>{number}</span>
        <span className={cx(styles.text, css.column, css.spring)}>
          <strong>
            {lesson.title}
            {lesson.core && <span className={styles.core}>core</span>}
          </strong>
          <span>{lesson.summary}</span>
          {lesson.marks && <span>{marksText(lesson.marks)}</span>}
        </span>
        <span className={styles.progress}>
          {read > 0 ? `${read} of ${count(lesson.steps.length, 'step')}` : `${lesson.minutes} min`}
          {tasks.length > 0 && <br />}
          {tasks.length > 0 && `${done > 0 ? `${done} of ` : ''}${count(tasks.length, 'exercise')}`}
          {tasks.length > 0 && done === tasks.length && ' ✓'}
        </span>
      </button>
      {lesson.kind === 'article' && <Steps lesson={lesson} />}
    </li>
  )
}

/** A link to each step of an article. */
function Steps({ lesson: { id, steps } }: { lesson: LessonInfo }) {
  return (
    <ol className={styles.steps}>
      {steps.map((step, i) => (
        <li key={step.id}>
          <LinkButton onClick={() => open(id, i)}>{step.title}</LinkButton>
        </li>
      ))}
    </ol>
  )
}
