/** The open lesson and its step. A lesson is open while the workspace's origin names it. */
import { create } from 'zustand'
import type { LessonFile, LessonInfo } from '../../../engine/lessons/catalog'
import type { StepText } from './step_texts'

export interface OpenLesson {
  id: string
  file: LessonFile
  texts: readonly StepText[]
  /** For a lesson that is not part of the site: its title, and the time of its last change in ms. */
  own?: { title: string; at: number }
}

export const useLessons = create(() => ({
  list: [] as readonly LessonInfo[],
  problem: null as string | null,
  /** The lesson that was opened last. */
  lesson: null as OpenLesson | null,
  /** Index of its step. */
  step: 0,
  /** The glossary's list when it opens: all terms, or the terms in the texts on screen. */
  glossaryOf: 'all' as 'all' | 'screen',
  /** True if the panel was closed; the workspace stays open. */
  hidden: false,
}))
