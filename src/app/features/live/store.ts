/** What the page knows of the process that serves it, and its verdict on the open workspace. */
import { create } from 'zustand'
import { NONE, type Section } from '../../session/section'
import { createSessionStore } from '../../session/session_store'
import type { CheckAnswer, ProcessState } from './process'

export const useProcess = create<{
  state: ProcessState | null
  /** It ended, or its `with` block did. */
  ended: boolean
}>(() => ({ state: null, ended: false }))

/** `script`: the last export, and its graph. */
export const useLiveVerdict = createSessionStore<{
  answer: Section<CheckAnswer>
  checking: boolean
  script: { text: string; graph: string } | null
}>(() => ({ answer: NONE, checking: false, script: null }))
