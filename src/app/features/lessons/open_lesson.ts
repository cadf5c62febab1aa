/** Opens lessons and their steps. The stored report of a lesson's workspace is on screen before Python has loaded. */
import { memoizeByText } from '../../../base/memoize'
import { messageOf } from '../../../base/error_message'
import { FOREIGN } from '../../../workspace/code_origin'
import { activeEditor, canvasOf } from '../../commands/surfaces'
import { siteJson } from '../../site_files'
import { putSent } from '../../session/consent'
import { isEmbed } from '../../session/framed'
import { draftOf } from '../../session/kept_draft'
import { lessonOf, lessonOrigin, rememberOrigin } from '../../session/kept_ids'
import { openWorkspace } from '../../session/open_workspace'
import { currentSession, OPENING } from '../../session/session'
import { toast, useView } from '../../session/view_store'
import { useWorkspace } from '../../session/workspace_store'
import type { Report } from '../../../engine/protocol'
import type { ForeignCode } from '../../../workspace/code_origin'
import type { Workspace } from '../../../workspace/types'
import {
  workspaceOfStep,
  type LessonFile,
  type LessonInfo,
  type LessonStep,
  type StoredWorkspace,
} from '../../../engine/lessons/catalog'
import { useGuide } from '../../examples/examples'
import { markSeen, progressOf, useProgress } from './progress'
import { useLessons, type OpenLesson } from './store'
import { isOwnLesson, ownWorkspace, readOwnLesson } from './own/own_lessons'
import type { Block } from '../../markdown/markdown'
import { stepTexts, type StepText } from './step_texts'

/** The texts of lessons (public/lessons/ID/lesson.md), each fetched on demand; the build compiles them to plain data. */
const TEXTS = import.meta.glob<readonly Block[]>('../../../../public/lessons/*/lesson.md', { import: 'default' })

/** The text of each step; null if the lesson does not exist. */
async function loadTexts(id: string): Promise<readonly StepText[] | null> {
  const blocks = await TEXTS[`../../../../public/lessons/${id}/lesson.md`]?.()
  return blocks ? stepTexts(blocks) : null
}

/** `?lesson=ID&step=N`, N from 1; null if the address names no lesson. */
export function askedLesson(): { id: string; step: number | null } | null {
  const id = new URLSearchParams(location.search).get('lesson')
  return id === null ? null : { id, step: askedStep() }
}

/** `?step=N`, from 0; null if the address names no step. */
export function askedStep(): number | null {
  const step = Number.parseInt(new URLSearchParams(location.search).get('step') ?? '', 10)
  return step > 0 ? step - 1 : null
}

/** The page's address of a step. In a frame, a received lesson stays in the address. */
export function stepAddress(id: string, step: number): string {
  const address = new URL(location.href)
  if (isEmbed() && isOwnLesson(id)) {
    address.searchParams.set('step', String(step + 1))
    return address.href
  }
  address.hash = ''
  address.searchParams.delete('example')
  address.searchParams.set('lesson', id)
  address.searchParams.set('step', String(step + 1))
  return address.href
}

/** The HTML of a frame with a step: the graph, read only, and the text. @param lesson its id, or the fragment that contains it */
export function embedCode(lesson: string, step: number, title: string): string {
  const address = new URL('embed.html', document.baseURI)
  if (lesson.startsWith('#')) address.hash = lesson
  else address.searchParams.set('lesson', lesson)
  address.searchParams.set('step', String(step + 1))
  const quoted = title.replaceAll('&', '&amp;').replaceAll('"', '&quot;')
  const source = address.href.replaceAll('&', '&amp;')
  return `<iframe src="${source}" width="900" height="560" title="${quoted}"></iframe>`
}

export async function loadLessonList(): Promise<void> {
  if (useLessons.getState().list.length > 0) return
  try {
    useLessons.setState({ list: await siteJson<LessonInfo[]>('lessons/index.json'), problem: null })
  } catch (e) {
    useLessons.setState({ problem: `The lessons could not be loaded: ${messageOf(e)}` })
  }
}

/**
 * Opens a lesson. @param step index from 0; absent: the step that was shown last @param workspace shows a step of this
 * workspace @returns false, with a toast, if the lesson could not be opened
 */
export async function openLesson(id: string, step: number | null = null, workspace?: string): Promise<boolean> {
  const signal = currentSession().only(OPENING)
  try {
    void loadLessonList()
    const lesson = await load(id)
    if (signal.aborted) return false
    if (!lesson) throw new Error(`there is no lesson “${id.slice(0, 60)}”`)
    const { at } = progressOf(useProgress.getState().progress, id)
    let index =
      step ??
      Math.max(
        0,
        lesson.file.steps.findIndex((s) => s.id === at),
      )
    if (workspace !== undefined && workspaceOfStep(lesson.file, index) !== workspace)
      index = Math.max(
        0,
        lesson.file.steps.findIndex((_, i) => workspaceOfStep(lesson.file, i) === workspace),
      )
    return await showStep(lesson, Math.min(index, lesson.file.steps.length - 1))
  } catch (e) {
    toast(`The lesson could not be opened: ${messageOf(e)}`, { tone: 'bad' })
    return false
  }
}

/** Opens a lesson at the step with an id, and offers the way back to the step that was open. */
export async function openLessonStep(id: string, step: string): Promise<void> {
  const { lesson: before, step: at } = useLessons.getState()
  const reading = before !== null && lessonOf(useWorkspace.getState().origin)?.id === before.id
  const file = isOwnLesson(id)
    ? (await readOwnLesson(id))?.file
    : await siteJson<LessonFile>(`lessons/${id}/lesson.json`).catch(() => null)
  const index = file?.steps.findIndex((s) => s.id === step) ?? -1
  const opened = await openLesson(id, index < 0 ? null : index)
  if (!opened || !reading || (before.id === id && at === index)) return
  toast('This is the example of the term.', {
    action: { label: 'Back to the lesson', run: () => void openLesson(before.id, at) },
  })
}

/** Opens the lesson that an origin names; false if it names none. */
export async function openLessonOrigin(origin: string): Promise<boolean> {
  const named = lessonOf(origin)
  const asked = askedLesson()
  const step = asked?.id === named?.id ? (asked?.step ?? null) : null
  return named !== null && (await openLesson(named.id, step, named.workspace))
}

/** Shows a step of the open lesson. */
export async function goToStep(step: number): Promise<void> {
  const { lesson } = useLessons.getState()
  if (lesson && step >= 0 && step < lesson.file.steps.length) await showStep(lesson, step)
}

/** Opens the published workspace of the step again; the edits stay in the workspace's history. */
export async function restartStep(): Promise<void> {
  const { lesson, step } = useLessons.getState()
  if (!lesson) return
  const { workspace } = await publishedWorkspace(lesson.id, workspaceOfStep(lesson.file, step))
  putSent(workspace)
}

async function load(id: string): Promise<OpenLesson | null> {
  const { lesson } = useLessons.getState()
  if (isOwnLesson(id)) return readOwnLesson(id)
  if (lesson?.id === id) return lesson
  if (!/^[\w-]+$/.test(id)) return null
  const [texts, file] = await Promise.all([loadTexts(id), siteJson<LessonFile>(`lessons/${id}/lesson.json`)])
  return texts && { id, file, texts }
}

const storedAt = memoizeByText((path) => siteJson<StoredWorkspace>(path), 20)

/** The published workspace with its stored report. */
export const loadWorkspace = (id: string, workspace: string): Promise<StoredWorkspace> =>
  storedAt(`lessons/${id}/${workspace}.stored.json`)

interface Published {
  workspace: Workspace
  /** Null: the workspace is not part of the site, and runs first. */
  report: Report | null
  /** See Opening. */
  foreign: ForeignCode | null
}

/** The workspace of a step as its author wrote it. */
export async function publishedWorkspace(id: string, workspace: string): Promise<Published> {
  if (!isOwnLesson(id)) return { ...(await loadWorkspace(id, workspace)), foreign: null }
  const own = await ownWorkspace(id, workspace)
  return { workspace: own.workspace, report: null, foreign: own.received ? FOREIGN : null }
}

async function showStep(lesson: OpenLesson, index: number): Promise<boolean> {
  const { id, file } = lesson
  const step = file.steps[index]!
  const workspace = workspaceOfStep(file, index)
  const origin = lessonOrigin(id, workspace)
  const { version } = useWorkspace.getState()
  if (useWorkspace.getState().origin !== origin) {
    const signal = currentSession().only(OPENING)
    const [stored, draft] = await Promise.all([publishedWorkspace(id, workspace), isEmbed() ? null : draftOf(origin)])
    if (signal.aborted || useWorkspace.getState().version !== version) return false
    useLessons.setState({ lesson, step: index, hidden: false })
    useGuide.setState({ page: null })
    rememberOrigin(origin)
    const edited = draft !== null && JSON.stringify(draft.workspace) !== JSON.stringify(stored.workspace)
    openWorkspace({
      workspace: draft?.workspace ?? stored.workspace,
      foreign: draft ? draft.foreign : stored.foreign,
      origin,
      openFile: step.open?.file,
      startAt: step.open?.at,
      ...(stored.report && { stored: { report: stored.report, source: stored.workspace, stale: edited } }),
      view: { camera: step.camera },
    })
  } else {
    useLessons.setState({ lesson, step: index, hidden: false })
    if (step.open) showText(step.open)
  }
  if (!isEmbed()) markSeen(id, step.id)
  history.replaceState(history.state, '', stepAddress(id, index))
  showView(step)
  return true
}

/** Opens a tab, and scrolls to a text in it once the editor shows it. */
function showText({ file, at }: NonNullable<LessonStep['open']>): void {
  useWorkspace.getState().open(file)
  if (at !== undefined) requestAnimationFrame(() => activeEditor()?.reveal(at))
}

function showView({ mode, panel, select, camera }: LessonStep): void {
  const view = useView.getState()
  view.setMode(mode ?? 'before')
  view.setCamera(camera ?? null)
  if (panel) {
    view.closePlace('drawer')
    view.closePlace('graph')
    view.setPanel(panel)
  }
  // A canvas does not move to a selection made on it.
  view.select(select ?? null, camera?.side)
  if (camera) requestAnimationFrame(() => canvasOf(camera.side)?.lookAt(camera))
  else if (!select) useView.setState((s) => ({ firsts: s.firsts + 1 }))
}
