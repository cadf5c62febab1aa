/** The open lesson: the text of a step, its exercise, and navigation to the other steps. */
import { useEffect, useRef, type ReactNode } from 'react'
import { nodeNamed } from '../../../engine/queries/report_index'
import { useRun } from '../../session/run_store'
import { useView } from '../../session/view_store'
import { useWorkspace } from '../../session/workspace_store'
import { Button, CloseButton, IconButton, LinkButton } from '../../ui/Button'
import { copyAndSay } from '../../ui/clipboard'
import { NodeLink } from '../../ui/NodeLink'
import { PANEL_IDS, type PanelId } from '../../../workspace/types'
import { runById } from '../../commands/registry'
import { openExample } from '../../examples/examples'
import { Markdown } from '../../markdown/Markdown'
import { StepThrough } from '../../on_screen/steps/StepThrough'
import { lessonOf } from '../../session/kept_ids'
import { nextLesson, workspaceOfStep } from '../../../engine/lessons/catalog'
import { ExerciseView } from './ExerciseView'
import { embedCode, goToStep, openLesson, openLessonOrigin, stepAddress } from './open_lesson'
import { Marks, Source } from './articles/Marks'
import { isTerm } from '../../../engine/lessons/glossary'
import { useClass } from './class/store'
import { copyLink, keptFragment } from './own/open_files'
import { editLesson } from './recorder/store'
import { Term } from './Term'
import { LessonTerms } from './terms/LessonTerms'
import { progressOf, useProgress } from './progress'
import { useLessons, type OpenLesson } from './store'
import { plainTitle } from './step_texts'
import { Traces } from './Traces'
import styles from './LessonPanel.module.css'
import { css, cx } from '../../ui/css'

/** The lesson of the open workspace; null if there is none, or its panel is closed. */
export function useOpenLesson(): OpenLesson | null {
  const origin = useWorkspace((s) => s.origin)
  const lesson = useLessons((s) => s.lesson)
  const hidden = useLessons((s) => s.hidden)
  const named = lessonOf(origin)
  const missing = named !== null && lesson?.id !== named.id
  // A draft of a lesson's workspace was opened from the list of workspaces.
  useEffect(() => {
    if (missing) void openLessonOrigin(origin)
  }, [missing, origin])
  return named && lesson?.id === named.id && !hidden ? lesson : null
}

/** @param readOnly shows the text and the steps alone, where no code runs */
export function LessonPanel({ lesson, readOnly = false }: { lesson: OpenLesson; readOnly?: boolean }) {
  const index = useLessons((s) => s.step)
  const { id, file, texts } = lesson
  const step = file.steps[index]!
  const text = texts[index]!
  const body = useRef<HTMLDivElement>(null)
  useEffect(() => {
    body.current?.scrollTo(0, 0)
    // On a narrow screen the whole page scrolls.
    body.current?.closest('[data-page-scrolls]')?.scrollTo(0, 0)
  }, [id, index])
  return (
    <section className={styles.lesson} data-region="lesson" aria-label="Lesson" data-testid="lesson">
      {!readOnly && <Bar lesson={lesson} index={index} />}
      <div ref={body} className={styles.body} tabIndex={0} role="region" aria-label="Text of the step">
        <h2 className={css.large} data-testid="lesson-step">
          {plainTitle(text.title)}
        </h2>
        {index === 0 && <Source of={file} />}
        <LessonTerms blocks={text.blocks}>
          <Markdown blocks={text.blocks} link={linkTo} />
        </LessonTerms>
        {step.marks && <Marks marks={step.marks} />}
        {step.traces && !lesson.own && <Traces lesson={id} workspace={workspaceOfStep(file, index)} {...step.traces} />}
        {step.timeline && !readOnly && (
          <p>
            <StepThrough of={{ pass: 'patterns', entry: step.timeline.entry, node: step.timeline.node }}>
              Step through the match at {step.timeline.node}
            </StepThrough>
          </p>
        )}
        {lesson.own && readOnly && (
          <p className={css.muted}>
            The code of this lesson has not run here, so no matches are shown. “Open in Fusescope” opens the lesson, and
            asks before its code runs.
          </p>
        )}
        {step.exercise && readOnly && <p className={css.muted}>Open the lesson in Fusescope to do the exercise.</p>}
        {step.exercise && !readOnly && (
          <ExerciseView
            key={step.id}
            lesson={id}
            step={step.id}
            workspace={workspaceOfStep(file, index)}
            exercise={step.exercise}
          />
        )}
      </div>
      <Foot lesson={lesson} index={index} />
    </section>
  )
}

function Bar({ lesson, index }: { lesson: OpenLesson; index: number }) {
  const info = useLessons((s) => s.list.find((l) => l.id === lesson.id))
  const title = info?.title ?? lesson.own?.title ?? 'Lesson'
  const inClass = useClass((s) => s.opened !== null)
  const copy = (): Promise<void> => {
    const address = stepAddress(lesson.id, index)
    return copyAndSay(address, 'The link to this step is copied.', `The link to this step: ${address}`)
  }
  return (
    <div className={styles.bar}>
      <span className={cx(css.ellipsis, css.grow, css.muted)}>{title}</span>
      {inClass && <LinkButton onClick={() => useView.getState().setOverlay('class')}>Class page</LinkButton>}
      <LinkButton onClick={() => runById('lessons')}>All lessons</LinkButton>
      {lesson.own ? (
        <>
          <LinkButton onClick={() => void editLesson(lesson.id)}>Edit</LinkButton>
          <IconButton
            variant="quiet"
            icon="copy"
            label="Copy a link to this lesson"
            onClick={() => void copyLink(lesson.id)}
          />
        </>
      ) : (
        <IconButton variant="quiet" icon="copy" label="Copy a link to this step" onClick={() => void copy()} />
      )}
      <IconButton
        variant="quiet"
        icon="share"
        label="Copy the HTML that embeds this step"
        onClick={() => void copyEmbed(lesson, index, title)}
      />
      <CloseButton label="Close the lesson" onClick={() => useLessons.setState({ hidden: true })} />
    </div>
  )
}

async function copyEmbed({ id, own }: OpenLesson, step: number, title: string): Promise<void> {
  const lesson = own ? await keptFragment(id) : id
  if (lesson === null) return
  const html = embedCode(lesson, step, title)
  await copyAndSay(html, 'The HTML that embeds this step is copied.', html)
}

function Foot({ lesson, index }: { lesson: OpenLesson; index: number }) {
  const solved = useProgress((s) => progressOf(s.progress, lesson.id).solved)
  const list = useLessons((s) => s.list)
  const { steps } = lesson.file
  const next = lesson.own ? undefined : nextLesson(list, lesson.id)
  const last = index === steps.length - 1
  return (
    <nav className={styles.foot} aria-label="Steps of the lesson">
      <Button disabled={index === 0} onClick={() => void goToStep(index - 1)} data-testid="lesson-back">
        Back
      </Button>
      <ol className={styles.dots}>
        {steps.map((s, i) => (
          <li key={s.id}>
            <button
              className={styles.dot}
              aria-label={`Step ${i + 1}: ${plainTitle(lesson.texts[i]!.title)}${solved.includes(s.id) ? ', solved' : ''}`}
              title={plainTitle(lesson.texts[i]!.title)}
              aria-current={i === index ? 'step' : undefined}
              data-exercise={s.exercise !== undefined || undefined}
              data-solved={solved.includes(s.id) || undefined}
              onClick={() => void goToStep(i)}
            >
              {i + 1}
            </button>
          </li>
        ))}
      </ol>
      {last && next ? (
        <Button variant="primary" onClick={() => void openLesson(next.id, 0)} data-testid="lesson-next">
          {lesson.file.kind === 'article' ? 'Next article' : 'Next lesson'}
        </Button>
      ) : (
        <Button variant="primary" disabled={last} onClick={() => void goToStep(index + 1)} data-testid="lesson-next">
          Next
        </Button>
      )}
    </nav>
  )
}

/**
 * Links in a lesson's text: `#NODE` selects a node, `#after/NODE` a node of the rewritten graph, `panel:ID` opens a panel,
 * `file:NAME` a tab, `lesson:ID` another lesson, `example:ID` an example; the glossary explains `term:ID`.
 */
function linkTo(to: string, text: string): ReactNode {
  const [, kind, name] = /^(#after\/|#|panel:|file:|lesson:|example:|term:)(.+)$/.exec(to) ?? []
  if (kind === '#' || kind === '#after/')
    return <NodeName name={name!} side={kind === '#' ? 'before' : 'after'} text={text} />
  if (kind === 'panel:' && PANEL_IDS.includes(name as PanelId))
    return <LinkButton onClick={() => useView.getState().setPanel(name as PanelId)}>{text}</LinkButton>
  if (kind === 'file:') return <LinkButton onClick={() => useWorkspace.getState().open(name!)}>{text}</LinkButton>
  if (kind === 'term:' && isTerm(name!)) return <Term id={name}>{text}</Term>
  if (kind === 'example:') return <LinkButton onClick={() => void openExample(name!)}>{text}</LinkButton>
  if (kind === 'lesson:') return <LinkButton onClick={() => void openLesson(name!)}>{text}</LinkButton>
  return null
}

/** A link to a node; plain code if the graph lacks it. The text is the node's name, or the author's words for it. */
function NodeName({ name, side, text }: { name: string; side: 'before' | 'after'; text: string }) {
  const graph = useRun(
    (s) => (side === 'before' ? (s.graphRead.value ?? s.result.value?.graph) : s.result.value?.after) ?? null,
  )
  return nodeNamed(graph, name) ? <NodeLink name={name} side={side} text={text} /> : <code>{text}</code>
}
