/**
 * A lesson as its files: lesson.json, lesson.md, graphs and Python. Reads the format of public/lessons/ID, and writes it.
 * `npm run lessons`, the recorder and opened lesson files share it.
 */
import { firstIssue, lessonFileSchema, workspaceSchema, type Workspace } from '../../../../workspace'
import { readMarkdown } from '../../../markdown/read_markdown'
import type { LessonFile, LessonStep, LessonWorkspace } from '../../../../engine/lessons/catalog'
import { workspaceOfStep } from '../../../../engine/lessons/catalog'
import { plainTitle, stepTexts, type StepText } from '../step_texts'

/** The text of a file by its path in the lesson's folder; null if it is absent. */
export type ReadFile = (path: string) => string | null

export interface ReadLesson {
  id: string
  title: string
  file: LessonFile
  texts: StepText[]
  /** Title and Markdown of each step. */
  sections: Section[]
}

export interface Section {
  title: string
  text: string
}

/** Reads lesson.json and lesson.md. @throws Error, one sentence, for a malformed lesson */
export function readLesson(id: string, read: ReadFile): ReadLesson {
  const json = read('lesson.json')
  const markdown = read('lesson.md')
  if (json === null || markdown === null) throw new Error(`${id}: a lesson has lesson.json and lesson.md`)
  const checked = lessonFileSchema.safeParse(JSON.parse(json))
  if (!checked.success) throw new Error(`${id}/lesson.json: ${firstIssue(checked.error)}`)
  const file = checked.data as LessonFile
  const blocks = readMarkdown(markdown)
  const [title] = blocks
  if (title?.kind !== 'heading' || title.level !== 1) throw new Error(`${id}: lesson.md begins with its title, “# …”`)
  const texts = stepTexts(blocks)
  if (texts.length !== file.steps.length)
    throw new Error(`${id}: lesson.md has ${texts.length} sections and lesson.json ${file.steps.length} steps`)
  const ids = file.steps.map((s) => s.id)
  if (new Set(ids).size !== ids.length) throw new Error(`${id}: two steps have one id`)
  for (const [i, step] of file.steps.entries()) {
    const workspace = workspaceOfStep(file, i)
    if (!(workspace in file.workspaces)) throw new Error(`${id}/${step.id}: there is no workspace ${workspace}`)
  }
  return { id, title: plainTitle(title.text), file, texts, sections: sectionsOf(markdown) }
}

/**
 * The files that a lesson names; its schema has checked their paths. An archive or a link may contain other files, and
 * `../../.bashrc` or `.vscode/tasks.json` would otherwise end up in the archive that the page saves.
 */
export function namedFiles({ file }: ReadLesson, files: ReadonlyMap<string, string>): Map<string, string> {
  const named = Object.values(file.workspaces).flatMap((w) => [w.graph, w.shapes, ...(w.graphs ?? []), ...w.files])
  const kept = new Set(['lesson.json', 'lesson.md', ...named])
  return new Map([...files].filter(([path]) => kept.has(path)))
}

/** A workspace of a lesson. @throws Error, one sentence, for an absent or malformed file */
export function lessonWorkspace({ id, title, file }: ReadLesson, name: string, read: ReadFile): Workspace {
  const w: LessonWorkspace = file.workspaces[name]!
  const text = (path: string): { name: string; text: string } => {
    const found = read(path)
    if (found === null) throw new Error(`${id}: there is no file ${path}`)
    return { name: nameOf(path), text: found }
  }
  const workspace = workspaceSchema.safeParse({
    name: `${file.kind === 'article' ? 'Article' : 'Lesson'}: ${title}`,
    graph: text(w.graph),
    ...(w.shapes && { shapes: text(w.shapes) }),
    ...(w.graphs && { graphs: w.graphs.map(text) }),
    files: w.files.map(text),
    ...(w.passes && { passes: w.passes }),
    ...(w.environment && { environment: w.environment }),
    options: { timeLimitS: 10 },
  })
  if (!workspace.success) throw new Error(`${id}/${name}: ${firstIssue(workspace.error)}`)
  return workspace.data
}

/** Folders below it are part of the name: `second/files/pkg/mod.py` is the file `pkg/mod.py`. */
const FILES = /^(?:.*\/)?files\//

const nameOf = (path: string): string => (FILES.test(path) ? path.replace(FILES, '') : path.replace(/^.*\//, ''))

/** A lesson written in the page. */
export interface LessonDraft {
  id: string
  title: string
  summary: string
  minutes: number
  workspaces: Record<string, Workspace>
  /** The steps, with the workspace of each. */
  steps: (LessonStep & Section & { workspace: string })[]
}

/** The files of a lesson, by path. */
export function writeLesson({ title, summary, minutes, workspaces, steps }: LessonDraft): Map<string, string> {
  const out = new Map<string, string>()
  const described: Record<string, LessonWorkspace> = {}
  const used = new Set(steps.map((s) => s.workspace))
  for (const [name, w] of Object.entries(workspaces).filter(([n]) => used.has(n))) {
    const folder = Object.keys(described).length === 0 ? '' : `${name}/`
    const put = (file: { name: string; text: string }): string => {
      const path = `${folder}${file.name.includes('/') || FILES.test(file.name) ? 'files/' : ''}${file.name}`
      out.set(path, file.text)
      return path
    }
    described[name] = {
      graph: put(w.graph),
      ...(w.shapes && { shapes: put(w.shapes) }),
      ...(w.graphs && w.graphs.length > 0 && { graphs: w.graphs.map(put) }),
      files: w.files.map(put),
      ...(w.passes && { passes: w.passes }),
      ...(w.environment && { environment: w.environment }),
    }
  }
  const file: LessonFile = {
    order: 1000,
    summary,
    minutes,
    workspaces: described,
    steps: steps.map(({ title: _title, text: _text, ...step }) => step),
  }
  out.set('lesson.json', `${JSON.stringify(file, null, 2)}\n`)
  const parts = steps.map((s) => `## ${oneLine(s.title, 'Step')}\n\n${s.text.trim()}\n`)
  out.set('lesson.md', `# ${oneLine(title, 'Lesson')}\n\n${parts.join('\n')}`)
  return out
}

const oneLine = (text: string, otherwise: string): string => text.replace(/\s+/g, ' ').trim() || otherwise

/** The lesson as the recorder edits it. */
export function draftOfLesson(lesson: ReadLesson, read: ReadFile): LessonDraft {
  const { id, title, file, sections } = lesson
  return {
    id,
    title,
    summary: file.summary,
    minutes: file.minutes,
    workspaces: Object.fromEntries(
      Object.keys(file.workspaces).map((name) => [name, lessonWorkspace(lesson, name, read)]),
    ),
    steps: file.steps.map((step, i) => ({ ...step, ...sections[i]!, workspace: workspaceOfStep(file, i) })),
  }
}

/** Splits Markdown at its headings of level 2, code fences apart. */
function sectionsOf(markdown: string): Section[] {
  const sections: { title: string; lines: string[] }[] = []
  let fenced = false
  for (const line of markdown.split('\n')) {
    if (/^\s*(```|~~~)/.test(line)) fenced = !fenced
    const title = fenced ? undefined : /^## (.*)$/.exec(line)?.[1]
    if (title !== undefined) sections.push({ title, lines: [] })
    else sections.at(-1)?.lines.push(line)
  }
  return sections.map(({ title, lines }) => ({ title, text: lines.join('\n').trim() }))
}
