/** Questions of the page before it opens files: which graphs of a dump, and what becomes of the graph or files on screen. */
import { create } from 'zustand'
import type { DumpGraph } from '../../../engine/dumps'
import type { CaptureChoice } from '../capture/open_capture'
import type { TextFile } from '../../../workspace'

/** What dropped folders hold, read. */
export interface FolderContent {
  name: string
  python: readonly TextFile[]
  graphs: readonly DumpGraph[]
  /** Number of Python files beyond the limit. */
  left: number
  /** Number of files that are neither. */
  others: number
}

export type Question =
  /** Which graphs of a dump to open. `chosen`: those that are checked first. */
  | { kind: 'choose'; name: string; graphs: readonly DumpGraph[]; chosen: readonly number[]; pipeline: boolean }
  /** A graph is on screen already. */
  | { kind: 'present'; files: readonly TextFile[] }
  /** A folder of Python files beside files that are open already. */
  | { kind: 'folder'; folder: FolderContent }
  /** A capture holds several graphs. */
  | { kind: 'runs'; choice: CaptureChoice }
  /** A large file is being read. */
  | { kind: 'reading'; name: string; read: number; size: number }

export const useQuestion = create<{ question: Question | null }>(() => ({ question: null }))

export const ask = (question: Question | null): void => useQuestion.setState({ question })
