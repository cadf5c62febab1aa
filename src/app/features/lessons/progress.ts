/** The learner's progress, in local storage: nothing is sent, nothing is locked. */
import { create } from 'zustand'
import { keepText, keptJson } from '../../session/kept_text'

const KEY = 'fusescope:lessons'

export interface LessonProgress {
  /** Ids of steps that were shown. */
  seen: string[]
  /** Ids of exercises that were solved. */
  solved: string[]
  /** The step that was shown last. */
  at: string
}

type Progress = Readonly<Record<string, LessonProgress>>

function read(): Progress {
  const value = keptJson(KEY)
  return typeof value === 'object'
    ? Object.fromEntries(Object.entries(value ?? {}).filter(([, p]) => isProgress(p)))
    : {}
}

const isProgress = (value: unknown): value is LessonProgress => {
  const { seen, solved, at } = (value ?? {}) as Record<string, unknown>
  const isList = (list: unknown): boolean => Array.isArray(list) && list.every((id) => typeof id === 'string')
  return isList(seen) && isList(solved) && typeof at === 'string'
}

export const useProgress = create<{ progress: Progress }>(() => ({ progress: read() }))

const NONE: LessonProgress = { seen: [], solved: [], at: '' }

export const progressOf = (progress: Progress, lesson: string): LessonProgress => progress[lesson] ?? NONE

/** Number of steps done: an exercise is done once it is solved. */
export const stepsDone = (
  { steps }: { readonly steps: readonly { readonly id: string; readonly exercise?: unknown }[] },
  { seen, solved }: LessonProgress,
): number => steps.filter((s) => (s.exercise ? solved : seen).includes(s.id)).length

function change(lesson: string, edit: (p: LessonProgress) => LessonProgress): void {
  const { progress } = useProgress.getState()
  const next = { ...progress, [lesson]: edit(progressOf(progress, lesson)) }
  useProgress.setState({ progress: next })
  keepText(KEY, JSON.stringify(next))
}

const including = (all: readonly string[], id: string): string[] => (all.includes(id) ? [...all] : [...all, id])

export const markSeen = (lesson: string, step: string): void =>
  change(lesson, (p) => ({ ...p, seen: including(p.seen, step), at: step }))

export function markSolved(lesson: string, step: string): void {
  if (progressOf(useProgress.getState().progress, lesson).solved.includes(step)) return
  change(lesson, (p) => ({ ...p, solved: including(p.solved, step) }))
}
