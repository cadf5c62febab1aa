/** Reads the lessons from the plain files in public/lessons/ID/, and checks what their authors wrote. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import type { LessonFile, LessonInfo } from '../src/engine/lessons/catalog'
import * as files from '../src/app/features/lessons/files/lesson_files'
import { plainTitle, type StepText } from '../src/app/features/lessons/step_texts'
import type { Report } from '../src/engine/protocol'
import type { Workspace } from '../src/workspace'
import { isInside } from '../src/cli/input'
import { startFolder } from '../src/cli/input'
import { checkArticle, marksOf } from './article_marks'
import { stableReport } from './examples'
import { root } from './lib.mjs'

export const lessonsDir = join(root, 'public', 'lessons')

export interface AuthoredLesson {
  id: string
  title: string
  file: LessonFile
  texts: StepText[]
  /** Its folder. */
  dir: string
}

/** Every folder with a lesson.json, in the order in which the page lists them. @throws Error for a malformed lesson */
export function readLessons(ids?: readonly string[]): AuthoredLesson[] {
  return readdirSync(lessonsDir, { withFileTypes: true })
    .filter((e) => e.isDirectory() && existsSync(join(lessonsDir, e.name, 'lesson.json')))
    .filter((e) => !ids || ids.includes(e.name))
    .map((e) => readLesson(e.name))
    .sort((a, b) => a.file.order - b.file.order || a.id.localeCompare(b.id))
}

/** Reads files of a lesson's folder, and nothing outside; `example/ID/FILE` is a file of public/examples/ID. */
const reading =
  (dir: string): files.ReadFile =>
  (path) => {
    const example = /^example\/(.+)$/.exec(path)?.[1]
    const [folder, file] = example ? [join(root, 'public', 'examples'), example] : [dir, path]
    const found = join(folder, file)
    return existsSync(found) && isInside(folder, found) ? readFileSync(found, 'utf8') : null
  }

/** A lesson in a folder anywhere. @throws Error for a malformed lesson */
export const readLessonAt = (dir: string): AuthoredLesson => readLesson(basename(dir), dir)

/** The folder of a lesson that is named by its folder or its lesson.json. */
export function lessonFolder(path: string): string {
  const found = resolve(startFolder(), path)
  return basename(found) === 'lesson.json' ? dirname(found) : found
}

function readLesson(id: string, dir = join(lessonsDir, id)): AuthoredLesson {
  const { title, texts } = files.readLesson(id, reading(dir))
  // Includes the fields of an article, which a lesson from elsewhere does not have.
  const file = JSON.parse(readFileSync(join(dir, 'lesson.json'), 'utf8')) as LessonFile
  for (const step of file.steps) {
    if (step.exercise && step.exercise.wrong.length === 0) throw new Error(`${id}/${step.id}: has no wrong answer`)
    if (step.exercise && step.exercise.hints.length === 0) throw new Error(`${id}/${step.id}: has no hint`)
  }
  checkArticle(id, file)
  return { id, title, file, texts, dir }
}

export const lessonWorkspace = (lesson: AuthoredLesson, name: string): Workspace =>
  files.lessonWorkspace({ ...lesson, sections: [] }, name, reading(lesson.dir))

export const lessonIndex = (lessons: readonly AuthoredLesson[]): LessonInfo[] =>
  lessons.map(({ id, title, file, texts }) => ({
    ...(file.kind && { kind: file.kind, marks: marksOf(file) }),
    id,
    title,
    summary: file.summary,
    minutes: file.minutes,
    ...(file.core && { core: true }),
    steps: file.steps.map((s, i) => ({
      id: s.id,
      title: plainTitle(texts[i]!.title),
      exercise: s.exercise !== undefined,
    })),
  }))

/** A report as stored: like an example's, with the attempts, which lessons show. */
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
  kind: '#' | '#after/' | 'panel:' | 'file:' | 'lesson:' | 'example:' | 'term:'
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
    const [, kind, name] = /^(#after\/|#|panel:|file:|lesson:|example:|term:)(.+)$/.exec(s.to) ?? []
    if (!kind) throw new Error(`a lesson has no links of this kind: ${s.to}`)
    return [{ kind: kind as LessonLink['kind'], name: name! }]
  })
}
