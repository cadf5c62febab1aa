/** Reads the lessons from the plain files in public/lessons/ID/, and checks what their authors wrote. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  workspaceOfStep,
  type LessonFile,
  type LessonInfo,
  type LessonWorkspace,
} from '../src/app/features/lessons/catalog'
import { plainTitle, stepTexts, type StepText } from '../src/app/features/lessons/step_texts'
import type { Report } from '../src/engine/protocol'
import { workspaceSchema, type Workspace } from '../src/workspace'
import { stableReport } from './examples'
import { root } from './lib.mjs'
import { readMarkdown } from './vite/markdown.mjs'

export const lessonsDir = join(root, 'public', 'lessons')

export interface AuthoredLesson {
  id: string
  title: string
  file: LessonFile
  texts: StepText[]
}

/** Every folder with a lesson.json, in the order in which the page lists them. @throws Error for a malformed lesson */
export function readLessons(ids?: readonly string[]): AuthoredLesson[] {
  return readdirSync(lessonsDir, { withFileTypes: true })
    .filter((e) => e.isDirectory() && existsSync(join(lessonsDir, e.name, 'lesson.json')))
    .filter((e) => !ids || ids.includes(e.name))
    .map((e) => readLesson(e.name))
    .sort((a, b) => a.file.order - b.file.order || a.id.localeCompare(b.id))
}

function readLesson(id: string): AuthoredLesson {
  const file = JSON.parse(readFileSync(join(lessonsDir, id, 'lesson.json'), 'utf8')) as LessonFile
  const blocks = readMarkdown(readFileSync(join(lessonsDir, id, 'lesson.md'), 'utf8'))
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
    if (step.exercise && step.exercise.wrong.length === 0) throw new Error(`${id}/${step.id}: has no wrong answer`)
    if (step.exercise && step.exercise.hints.length === 0) throw new Error(`${id}/${step.id}: has no hint`)
  }
  return { id, title: plainTitle(title.text), file, texts }
}

export function lessonWorkspace(lesson: AuthoredLesson, name: string): Workspace {
  const w: LessonWorkspace = lesson.file.workspaces[name]!
  const file = (path: string) => ({
    name: path.replace(/^.*\//, ''),
    text: readFileSync(join(lessonsDir, lesson.id, path), 'utf8'),
  })
  return workspaceSchema.parse({
    name: `Lesson: ${lesson.title}`,
    graph: file(w.graph),
    ...(w.graphs && { graphs: w.graphs.map(file) }),
    files: w.files.map(file),
    ...(w.passes && { passes: w.passes }),
    ...(w.environment && { environment: w.environment }),
    options: { timeLimitS: 10 },
  } satisfies Workspace)
}

export const lessonIndex = (lessons: readonly AuthoredLesson[]): LessonInfo[] =>
  lessons.map(({ id, title, file, texts }) => ({
    id,
    title,
    summary: file.summary,
    minutes: file.minutes,
    steps: file.steps.map((s, i) => ({
      id: s.id,
      title: plainTitle(texts[i]!.title),
      exercise: s.exercise !== undefined,
    })),
  }))

/** A report as it is stored: as of an example, with its attempts, which lessons show. */
export function storedReport(report: Report): Report {
  const stable = stableReport(report)
  const passes = stable.passes.map((pass, i) => {
    const { attemptsLeftOut: _none, ...rest } = pass
    return { ...rest, attempts: report.passes[i]!.attempts }
  })
  return JSON.parse(JSON.stringify({ ...stable, passes })) as Report
}

/** A link of a lesson's text: its kind and what it names. */
export interface LessonLink {
  kind: '#' | '#after/' | 'panel:' | 'file:' | 'lesson:' | 'term:'
  name: string
}

/** The links of a step's text, for `npm run lessons` to check. @throws Error for a link of another kind */
export function linksOf(text: StepText): LessonLink[] {
  const spans = text.blocks.flatMap((b) =>
    b.kind === 'code'
      ? []
      : b.kind === 'list'
        ? b.items.flat()
        : b.kind === 'table'
          ? [...b.head, ...b.rows.flat()].flat()
          : b.text,
  )
  return spans.flatMap((s) => {
    if (s.kind !== 'link') return []
    const [, kind, name] = /^(#after\/|#|panel:|file:|lesson:|term:)(.+)$/.exec(s.to) ?? []
    if (!kind) throw new Error(`a lesson has no links of this kind: ${s.to}`)
    return [{ kind: kind as LessonLink['kind'], name: name! }]
  })
}
