/** The page's knowledge of the process that serves it, and the process's verdict on the open workspace. */
import { create } from 'zustand'
import { NONE, type Section } from '../../session/section'
import { createSessionStore } from '../../session/session_store'
import type { CheckAnswer, ProcessState } from './process'

export const useProcess = create<{
  state: ProcessState | null
  /** True once it ended, or its `with` block did. */
  ended: boolean
}>(() => ({ state: null, ended: false }))

/** `script`: the last export, and its graph. */
export const useLiveVerdict = createSessionStore<{
  answer: Section<CheckAnswer>
  checking: boolean
  script: { text: string; graph: string } | null
}>(() => ({ answer: NONE, checking: false, script: null }))
