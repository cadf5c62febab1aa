/** The recorder: the lesson that is being made, step by step, beside the screen that it records. */
import { useEffect, useRef } from 'react'
import { Button, CloseButton } from '../../../ui/Button'
import { Field, Input } from '../../../ui/Field'
import type { LessonDraft } from '../files/lesson_files'
import { RecordedStep } from './RecordedStep'
import { addStep, keepNow, preview, saveLesson, setHead, stopRecording, useRecorder } from './store'
import lessonStyles from '../LessonPanel.module.css'
import { css, cx } from '../../../ui/css'

export function RecorderPanel({ draft }: { draft: LessonDraft }) {
  const at = useRecorder((s) => s.at)
  const body = useRef<HTMLDivElement>(null)
  const count = draft.steps.length
  useEffect(() => {
    const keep = (): void => void keepNow()
    addEventListener('pagehide', keep)
    return () => removeEventListener('pagehide', keep)
  }, [])
  useEffect(() => {
    body.current?.querySelector('[data-editing]')?.scrollIntoView?.({ block: 'nearest' })
  }, [at, count])
  return (
    <section
      className={lessonStyles.lesson}
      data-region="lesson"
      aria-label="Recorder of a lesson"
      data-testid="recorder"
    >
      <div className={lessonStyles.bar}>
        <span className={cx(css.ellipsis, css.grow, css.muted)} title="Kept in this browser">
          Recording a lesson
        </span>
        <Button variant="quiet" onClick={() => void preview()} data-testid="recorder-preview">
          Preview
        </Button>
        <Button variant="quiet" onClick={() => void saveLesson()} data-testid="recorder-save">
          Save as a file
        </Button>
        <CloseButton label="Close the recorder" onClick={() => void stopRecording()} />
      </div>
      <div ref={body} className={lessonStyles.body} tabIndex={0} role="region" aria-label="The recorded lesson">
        <Field label="Title">
          <Input value={draft.title} maxLength={200} onValue={(value) => setHead({ title: value })} />
        </Field>
        <Field label="Summary, one sentence">
          <Input value={draft.summary} maxLength={500} onValue={(value) => setHead({ summary: value })} />
        </Field>
        <ol className={cx(css.stack, css.gap2)} aria-label="Steps">
          {draft.steps.map((step, i) => (
            <RecordedStep key={step.id} draft={draft} step={step} index={i} editing={i === at} />
          ))}
        </ol>
        <p className={css.muted}>
          Set the selection, the panel, the camera and the code as the learner should see them, then add a step.
        </p>
      </div>
      <div className={lessonStyles.foot}>
        <span className={css.muted}>
          {count} {count === 1 ? 'step' : 'steps'}
        </span>
        <Button variant="primary" onClick={addStep} data-testid="recorder-add">
          Add a step of this screen
        </Button>
      </div>
    </section>
  )
}
