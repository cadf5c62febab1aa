/** The types of a lesson: public/lessons/ID/lesson.json as its author writes it, and the index of all lessons. */
import type { Cause, LintKind, Report } from '../protocol'
import type { CameraPlace, CanvasMode, Environment, PanelId, Selection, Workspace } from '../../workspace/types'

/** A fact about the result of a workspace. `npm run lessons` checks claims, and the page checks goals, with the same code. */
export type Check =
  /** Number of matches; `graph` counts on another graph of the workspace. */
  | { check: 'matches'; count: number; pass?: string; graph?: string }
  /** Matches at these anchors; with `only`, at no other. */
  | { check: 'fires'; at: string[]; only?: boolean }
  | { check: 'silent'; at: string[] }
  /** The first cause: of the near miss at an anchor, or of the whole result. */
  | { check: 'cause'; kind: Cause['kind']; at?: string; says?: string[] }
  | { check: 'near-misses'; count: number }
  /** `texts`: number of different patterns in stage one. */
  | { check: 'entries'; count: number; fired?: number; texts?: number }
  /** PatternPrettyPrinter's text of an entry. */
  | { check: 'pattern'; entry?: number; has?: string[]; lacks?: string[] }
  | { check: 'attempt'; at: string; phase: 'initial' | 'specific'; ok: boolean; entry?: number; says?: string[] }
  /** Number of entries that a stage accepts at an anchor. */
  | { check: 'accepted'; at: string; phase: 'initial' | 'specific'; count: number }
  /** Targets and node names of the graph, before or after the passes. */
  | { check: 'graph'; side: 'before' | 'after'; nodes?: number; has?: string[]; lacks?: string[] }
  | { check: 'users'; node: string; count: number }
  | { check: 'violations'; count: number }
  | { check: 'lint'; kind: LintKind; absent?: true }
  /** Python raised; parts of its message. */
  | { check: 'raises'; says: string[] }
  /** Parts of a file's text. */
  | { check: 'file'; file: string; has?: string[]; lacks?: string[] }
  /** Every match computes the same values before and after, on the reference device; `close` includes equal values unless `exactly`. */
  | { check: 'numbers'; is: 'equal' | 'close' | 'different'; exactly?: true }
  /** Graph nodes in the order in which the matcher visits them; checked by the command only. */
  | { check: 'visits'; at: string; entry?: number; nodes: string[] }

/** An edit of a file, as in "find and replace". `find` occurs once. */
export interface LessonEdit {
  file: string
  find: string
  replace: string
}

/** A typical wrong answer, and the answer of Why not to it. */
export interface WrongAnswer {
  edits: LessonEdit[]
  /** The kind of the cause that the page shows, `python` for an exception, or null for none. */
  cause: Cause['kind'] | 'python' | null
  says?: string[]
}

export interface Exercise {
  goal: Check[]
  /** Revealed one at a time. */
  hints: string[]
  solution: LessonEdit[]
  wrong: WrongAnswer[]
  /** The graph is part of the exercise's text; absent: it must stay as it is. */
  editGraph?: boolean
}

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

export interface LessonStep {
  id: string
  /** Key of LessonFile.workspaces; absent: that of the step before. */
  workspace?: string
  select?: Selection
  mode?: CanvasMode
  panel?: PanelId
  /** The tab of the editor, and a text in it to scroll to. */
  open?: { file: string; at?: string }
  /** Absent: the canvas shows the selection, or the first view. */
  camera?: CameraPlace | undefined
  /** Opens the timeline of an attempt. */
  timeline?: { node: string; entry: number | null }
  /** Shows the patterns of both stages at an anchor side by side. */
  traces?: { at: string; entry: number }
  /** Facts that the text states. */
  claims?: Check[]
  /** Claims of the article that this step plays. */
  marks?: Mark[]
  exercise?: Exercise
}

/** Paths in the lesson's folder; in a lesson of the site, `example/ID/FILE` is a file of an example. */
export interface LessonWorkspace {
  /** Paths in the lesson's folder. A file is named by what follows `files/`, or by the last part of its path. */
  graph: string
  /** A second text of the graph with shapes, when `graph` is a print(graph). */
  shapes?: string
  graphs?: string[]
  files: string[]
  environment?: Environment
  passes?: string[]
}

/** public/lessons/ID/lesson.json. Its text is lesson.md: a title, then one section for each step. */
export interface LessonFile {
  /** Absent: a lesson. An article plays the figures and claims of a published text. */
  kind?: 'article'
  /** The text that an article plays: title and place of publication. */
  source?: { title: string; by: string }
  order: number
  /** One of the few lessons for who has little time. */
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

/** The lesson after another: after one of the core, the next of the core, while there is one. */
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
  /** The patterns of stage two that steps show, by `traceKey`; reports leave them out. Absent if no step shows any. */
  traces?: Record<string, string>
}

export const traceKey = (at: string, entry: number): string => `${at} ${entry}`

/** The workspace of each step: its own, or that of the step before. */
export function workspaceOfStep(lesson: LessonFile, step: number): string {
  for (let i = step; i >= 0; i--) {
    const { workspace } = lesson.steps[i] ?? {}
    if (workspace !== undefined) return workspace
  }
  return Object.keys(lesson.workspaces)[0]!
}
