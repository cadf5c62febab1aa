/** The types of a lesson: public/lessons/ID/lesson.json as its author writes it, and the index of all lessons. */
import type { Report } from '../protocol'
import type { LessonWorkspace, OwnLessonStep } from '../../workspace/lesson_schema'
import type { Workspace } from '../../workspace/types'

export type { Check, Exercise, LessonEdit, LessonWorkspace, WrongAnswer } from '../../workspace/lesson_schema'

/** A claim of an article, and whether PyTorch 2.14.1 confirms it. */
export interface Mark {
  /** `not-confirmed`: nothing here can show it, for example a time on hardware that was not available. */
  is: 'confirmed' | 'differs' | 'not-confirmed'
  /** The claim in our words; code between backquotes, as in `seen`. */
  claim: string
  /** What the engine and the recording show; required unless `is` is `confirmed`. */
  seen?: string
  /** What a real PyTorch 2.14.1 did: a file below conformance/, and the id of a case in it. */
  recording?: { file: string; id?: string }
}

export interface LessonStep extends OwnLessonStep {
  /** Claims of the article that this step plays. */
  marks?: Mark[]
}

/** public/lessons/ID/lesson.json. Its text is lesson.md: a title, then one section for each step. */
export interface LessonFile {
  /** Absent: a lesson. An article plays the figures and claims of a published text. */
  kind?: 'article'
  /** The text that an article plays: title and place of publication. */
  source?: { title: string; by: string }
  order: number
  /** One of the few lessons for readers with little time. */
  core?: boolean
  /** One sentence. */
  summary: string
  minutes: number
  workspaces: Record<string, LessonWorkspace>
  steps: LessonStep[]
}

/** One line of public/lessons/index.json. */
export interface LessonInfo {
  kind?: 'article'
  id: string
  title: string
  summary: string
  minutes: number
  core?: boolean
  steps: { id: string; title: string; exercise: boolean }[]
  /** Claims of an article by outcome; absent for a lesson. */
  marks?: Record<Mark['is'], number>
}

/** The lesson after another: after a core lesson, the next core lesson, while there is one. */
export function nextLesson(list: readonly LessonInfo[], id: string): LessonInfo | undefined {
  const at = list.findIndex((l) => l.id === id)
  if (at < 0) return undefined
  const later = list.slice(at + 1).filter((l) => l.kind === list[at]!.kind)
  return (list[at]!.core && later.find((l) => l.core)) || later[0]
}

/** public/lessons/ID/WORKSPACE.stored.json. */
export interface StoredWorkspace {
  workspace: Workspace
  report: Report
  /** The stage-two patterns that steps show, by `traceKey`; reports leave them out. Absent if no step shows any. */
  traces?: Record<string, string>
}

export const traceKey = (at: string, entry: number): string => `${at} ${entry}`

/** The workspace of each step: its own, or that of the previous step. */
export function workspaceOfStep(lesson: LessonFile, step: number): string {
  for (let i = step; i >= 0; i--) {
    const { workspace } = lesson.steps[i] ?? {}
    if (workspace !== undefined) return workspace
  }
  return Object.keys(lesson.workspaces)[0]!
}
