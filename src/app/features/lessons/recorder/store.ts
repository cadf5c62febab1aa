/** The lesson being recorded. The browser stores each change at once. */
import { create } from 'zustand'
import { messageOf } from '../../../../base/error_message'
import { perPage } from '../../../session/scope'
import { useRun } from '../../../session/run_store'
import { Timer } from '../../../session/timer'
import { toast, toastUndo } from '../../../session/view_store'
import { useWorkspace } from '../../../session/workspace_store'
import type { Check } from '../../../../engine/lessons/catalog'
import { download } from '../../../files/download'
import type { LessonDraft, Section } from '../files/lesson_files'
import { openLesson } from '../open_lesson'
import { filesOfLesson, keepLesson, newLessonId } from '../own/own_lessons'
import { recordedStep, withWorkspace } from './record'

/** Reads and writes lesson files; loaded on use, because it includes the Markdown reader. */
const files = () => import('../files/lesson_files')

export const useRecorder = create(() => ({
  draft: null as LessonDraft | null,
  /** True if any workspace of the lesson has received code. */
  received: false,
  /** Index of the edited step. */
  at: 0,
}))

const KEEP_AFTER_MS = 150
const keeping = perPage(() => new Timer())

/** Begins a lesson from the workspace on screen, with its first step. */
export function startRecording(): void {
  const { name } = useWorkspace.getState().workspace
  const draft: LessonDraft = {
    id: newLessonId(),
    title: `A lesson on ${name.replace(/^Lesson: /, '') || 'my workspace'}`,
    summary: '',
    minutes: 5,
    workspaces: {},
    steps: [],
  }
  useRecorder.setState({ draft, received: false, at: 0 })
  addStep()
}

/** Edits a stored lesson. @returns false, with a toast, if it is gone or malformed */
export async function editLesson(id: string): Promise<boolean> {
  try {
    const [kept, { draftOfLesson, readLesson }] = await Promise.all([filesOfLesson(id), files()])
    if (!kept) throw new Error('it is not kept in this browser')
    const read = (path: string): string | null => kept.files.get(path) ?? null
    useRecorder.setState({ draft: draftOfLesson(readLesson(id, read), read), received: kept.received, at: 0 })
    return true
  } catch (e) {
    toast(`The lesson cannot be edited: ${messageOf(e)}.`, { tone: 'bad' })
    return false
  }
}

/** Ends the recording; the lesson stays in the list. */
export async function stopRecording(): Promise<void> {
  await keepNow()
  useRecorder.setState({ draft: null })
}

function change(edit: (draft: LessonDraft) => LessonDraft, at?: number): void {
  const { draft } = useRecorder.getState()
  if (!draft) return
  useRecorder.setState({ draft: edit(draft), ...(at !== undefined && { at }) })
  keeping().begin(KEEP_AFTER_MS, () => void keepNow())
}

/** Writes the newest state. */
export async function keepNow(): Promise<void> {
  keeping().stop()
  const { draft, received } = useRecorder.getState()
  if (!draft || draft.steps.length === 0) return
  const { writeLesson } = await files()
  await keepLesson({ id: draft.id, title: draft.title, at: Date.now(), files: writeLesson(draft), received })
}

/** Saves the folder of the recorded lesson as a zip archive, in the format of public/lessons/ID. */
export async function saveLesson(): Promise<void> {
  await keepNow()
  const { draft } = useRecorder.getState()
  if (draft) await saveKept(draft.id)
}

/** The same for a stored lesson. */
export async function saveKept(id: string): Promise<void> {
  const [kept, { writeZip }, { namedFiles, readLesson }] = await Promise.all([
    filesOfLesson(id),
    import('../files/zip'),
    files(),
  ])
  if (!kept) return
  const folder = slug(kept.title)
  try {
    const named = namedFiles(
      readLesson(id, (path) => kept.files.get(path) ?? null),
      kept.files,
    )
    download(`${folder}.zip`, writeZip(new Map([...named].map(([path, text]) => [`${folder}/${path}`, text]))))
  } catch (e) {
    return toast(`${kept.title} is damaged: ${messageOf(e)}`, { tone: 'bad' })
  }
  toast(`${folder}.zip is saved. It opens when dropped on the window; “npm run lessons -- PATH” checks its folder.`)
}

/** A folder's name for a title. */
const slug = (title: string): string =>
  title
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 60) || 'lesson'

export const setHead = (head: Partial<Pick<LessonDraft, 'title' | 'summary' | 'minutes'>>): void =>
  change((d) => ({ ...d, ...head }))

/** The draft with the workspace on screen. A step may show a different workspace than the first step, such as a link's. */
function withScreen(draft: LessonDraft): ReturnType<typeof withWorkspace> {
  const { workspace, foreign } = useWorkspace.getState()
  if (foreign !== null) useRecorder.setState({ received: true })
  return withWorkspace(draft, workspace)
}

/** Adds a step that shows the current screen after the edited step. */
export function addStep(): void {
  const { draft, at } = useRecorder.getState()
  if (!draft) return
  const next = draft.steps.length === 0 ? 0 : at + 1
  const { draft: grown, workspace } = withScreen(draft)
  const step = { id: freeId(draft), title: `Step ${draft.steps.length + 1}`, text: '', workspace, ...recordedStep() }
  change(() => ({ ...grown, steps: grown.steps.toSpliced(next, 0, step) }), next)
}

/** Makes the step show the current screen; its text and checks stay. */
export function recordAgain(index: number): void {
  const { draft } = useRecorder.getState()
  if (!draft) return
  const { draft: grown, workspace } = withScreen(draft)
  change(() =>
    withStep(grown, index, ({ id, title, text, claims, exercise }) => {
      const kept = { id, title, text, ...(claims && { claims }), ...(exercise && { exercise }) }
      return { ...kept, workspace, ...recordedStep() }
    }),
  )
}

export const setText = (index: number, text: Partial<Section>): void =>
  change((d) => withStep(d, index, (s) => ({ ...s, ...text })))

export const setChecks = (index: number, claims: Check[]): void =>
  change((d) => withStep(d, index, (s) => ({ ...s, claims })))

/** @param by -1 or 1 */
export function moveStep(index: number, by: number): void {
  const to = index + by
  change((d) => {
    const step = d.steps[index]
    if (!step || to < 0 || to >= d.steps.length) return d
    return { ...d, steps: d.steps.toSpliced(index, 1).toSpliced(to, 0, step) }
  }, to)
}

export function deleteStep(index: number): void {
  const { draft, at } = useRecorder.getState()
  if (!draft || draft.steps.length < 2) return
  const removed = draft.steps[index]!
  change((d) => ({ ...d, steps: d.steps.toSpliced(index, 1) }), Math.max(0, Math.min(at, draft.steps.length - 2)))
  toastUndo(`Step ${index + 1} is deleted.`, () =>
    change((d) => ({ ...d, steps: d.steps.toSpliced(index, 0, removed) }), index),
  )
}

/** Shows a step on screen, as a learner sees it. */
export async function showStep(index: number): Promise<void> {
  const { draft } = useRecorder.getState()
  if (!draft) return
  useRecorder.setState({ at: index })
  await keepNow()
  await openLesson(draft.id, index)
}

/** Plays the lesson instead of recording it. */
export async function preview(): Promise<void> {
  const { at } = useRecorder.getState()
  await showStep(at)
  useRecorder.setState({ draft: null })
}

const withStep = (
  draft: LessonDraft,
  index: number,
  edit: (step: LessonDraft['steps'][number]) => LessonDraft['steps'][number],
): LessonDraft => ({ ...draft, steps: draft.steps.map((s, i) => (i === index ? edit(s) : s)) })

function freeId({ steps }: LessonDraft): string {
  for (let n = steps.length + 1; ; n++) if (!steps.some((s) => s.id === `step-${n}`)) return `step-${n}`
}

/** False while a check would be evaluated on another report. */
export const isOnScreen = (draft: LessonDraft, index: number): boolean =>
  useRun.getState().result.value !== null &&
  withWorkspace(draft, useWorkspace.getState().workspace).workspace === draft.steps[index]?.workspace
