/** The learner's progress, in local storage: nothing is sent, nothing is locked. */
import { create } from 'zustand'
import { browserStorage } from '../../../workspace'

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
  try {
    const value: unknown = JSON.parse(browserStorage()?.getItem(KEY) ?? '{}')
    if (typeof value !== 'object' || value === null) return {}
    return Object.fromEntries(
      Object.entries(value).filter(([, p]) => Array.isArray(p?.seen) && Array.isArray(p?.solved)),
    ) as Progress
  } catch {
    return {}
  }
}

export const useProgress = create<{ progress: Progress }>(() => ({ progress: read() }))

const NONE: LessonProgress = { seen: [], solved: [], at: '' }

export const progressOf = (progress: Progress, lesson: string): LessonProgress => progress[lesson] ?? NONE

function change(lesson: string, edit: (p: LessonProgress) => LessonProgress): void {
  const { progress } = useProgress.getState()
  const next = { ...progress, [lesson]: edit(progressOf(progress, lesson)) }
  useProgress.setState({ progress: next })
  try {
    browserStorage()?.setItem(KEY, JSON.stringify(next))
  } catch {
    // Without storage the progress lasts until the page closes.
  }
}

const including = (all: readonly string[], id: string): string[] => (all.includes(id) ? [...all] : [...all, id])

export const markSeen = (lesson: string, step: string): void =>
  change(lesson, (p) => ({ ...p, seen: including(p.seen, step), at: step }))

export function markSolved(lesson: string, step: string): void {
  if (progressOf(useProgress.getState().progress, lesson).solved.includes(step)) return
  change(lesson, (p) => ({ ...p, solved: including(p.solved, step) }))
}
