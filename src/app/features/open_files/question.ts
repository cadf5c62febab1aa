/** What the page asks before it opens graphs: which of a dump, and what becomes of the graph on screen. */
import { create } from 'zustand'
import type { DumpGraph } from '../../../engine/dumps'
import type { TextFile } from '../../../workspace'

export type Question =
  /** Which graphs of a dump to open. `chosen`: those that are checked first. */
  | { kind: 'choose'; name: string; graphs: readonly DumpGraph[]; chosen: readonly number[]; pipeline: boolean }
  /** A graph is on screen already. */
  | { kind: 'present'; files: readonly TextFile[] }
  /** A large file is being read. */
  | { kind: 'reading'; name: string; read: number; size: number }

export const useQuestion = create<{ question: Question | null }>(() => ({ question: null }))

export const ask = (question: Question | null): void => useQuestion.setState({ question })
