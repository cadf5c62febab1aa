/** A class page: the lessons, steps and links that a teacher chose, or the form that makes it. */
import { useEffect } from 'react'
import { count } from '../../../../base/english'
import { writeClassPage, type ClassItem, type ClassPage } from '../../../../workspace/class_page'
import { toggleProjector } from '../../../theme/projector'
import { Button } from '../../../ui/Button'
import { copyAndSay } from '../../../ui/clipboard'
import { Dialog, DialogActions, DialogTop } from '../../../ui/Dialog'
import { EmptyState } from '../../../ui/Messages'
import { download } from '../../../files/download'
import type { LessonInfo } from '../../../../engine/lessons/catalog'
import { loadLessonList, openLesson } from '../open_lesson'
import { progressOf, useProgress } from '../progress'
import { useLessons } from '../store'
import { ClassForm } from './ClassForm'
import { classAddress, closeClass, editClass, editCopy, pageInForm, useClass } from './store'
import { css, cx } from '../../../ui/css'
import lessonStyles from '../LessonsDialog.module.css'
import styles from './ClassDialog.module.css'

export function ClassDialog() {
  const { opened, written, editing } = useClass()
  const list = useLessons((s) => s.list)
  useEffect(() => void loadLessonList(), [])
  const form = editing || !opened
  const page = form ? pageInForm(written, list) : opened
  return (
    <Dialog label="Class page" flush tall width={760} onClose={closeClass}>
      <DialogTop>
        <div>
          <h2 data-testid="class-title">{form ? 'Make a class page' : page.title || 'Class page'}</h2>
          <p className={css.muted}>
            {form ? 'Lessons, steps and links in one link or file. Nothing is sent to a server.' : page.text}
          </p>
        </div>
      </DialogTop>
      <div className={lessonStyles.list}>
        {form ? <ClassForm page={page} lessons={list} /> : <Items page={page} lessons={list} />}
      </div>
      <div className={styles.actions}>
        <DialogActions>
          {form ? (
            <Sending page={page} />
          ) : (
            <>
              <Button onClick={toggleProjector}>Projector mode</Button>
              <Button onClick={editCopy}>Edit a copy</Button>
            </>
          )}
          {form && opened && (
            <Button onClick={() => useClass.setState({ editing: false })}>Show the opened page</Button>
          )}
          {!form && written.items.length > 0 && <Button onClick={editClass}>My class page</Button>}
        </DialogActions>
      </div>
    </Dialog>
  )
}

function Sending({ page }: { page: ClassPage }) {
  const empty = page.items.length === 0
  const copy = (): Promise<void> => copyAndSay(classAddress(page), 'The link of the class page is copied.')
  return (
    <>
      <Button disabled={empty} onClick={() => download('class.json', writeClassPage(page), 'application/json')}>
        Save as a file
      </Button>
      <Button disabled={empty} onClick={() => useClass.setState({ opened: page, editing: false })}>
        Show it
      </Button>
      <Button variant="primary" disabled={empty} data-testid="class-copy" onClick={() => void copy()}>
        Copy the link
      </Button>
    </>
  )
}

function Items({ page, lessons }: { page: ClassPage; lessons: readonly LessonInfo[] }) {
  if (page.items.length === 0) return <EmptyState>This class page is empty.</EmptyState>
  return (
    <ol data-testid="class-items">
      {page.items.map((item, i) => (
        <li key={i}>
          {'lesson' in item ? (
            <LessonItem item={item} number={i + 1} info={lessons.find((l) => l.id === item.lesson)} />
          ) : (
            <a
              className={cx(lessonStyles.row, styles.link)}
              href={new URL(item.link, location.href.replace(/[?#].*$/, '')).href}
              target="_blank"
              rel="noopener"
            >
              <Label number={i + 1} title={item.title || item.link} text={[item.note, hostOf(item.link)]} />
              <span className={lessonStyles.progress}>opens a new tab</span>
            </a>
          )}
        </li>
      ))}
    </ol>
  )
}

interface LessonItemProps {
  item: Extract<ClassItem, { lesson: string }>
  number: number
  /** Undefined while the list loads, and for a lesson that this site lacks. */
  info: LessonInfo | undefined
}

function LessonItem({ item, number, info }: LessonItemProps) {
  const { seen } = useProgress((s) => progressOf(s.progress, item.lesson))
  const step = item.step === undefined ? undefined : info?.steps[item.step - 1]
  const read = info?.steps.filter((s) => seen.includes(s.id)).length ?? 0
  return (
    <button
      className={lessonStyles.row}
      onClick={() => {
        closeClass()
        void openLesson(item.lesson, item.step === undefined ? null : item.step - 1)
      }}
    >
      <Label
        number={number}
        title={step ? `${info!.title}: ${step.title}` : (info?.title ?? item.lesson)}
        text={[item.note, info?.summary]}
      />
      <span className={lessonStyles.progress}>
        {info && (read > 0 ? `${read} of ${count(info.steps.length, 'step')}` : `${info.minutes} min`)}
      </span>
    </button>
  )
}

function Label({ number, title, text }: { number: number; title: string; text: readonly (string | undefined)[] }) {
  return (
    <>
      <span className={lessonStyles.number}>{number}</span>
      <span className={cx(lessonStyles.text, css.column, css.spring)}>
        <strong>{title}</strong>
        {text.map((t, i) => t && <span key={i}>{t}</span>)}
      </span>
    </>
  )
}

/** The host of an address of another site. */
const hostOf = (link: string): string | undefined => (/^https?:/.test(link) ? new URL(link).host : undefined)
