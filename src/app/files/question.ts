/** The page's questions before it opens files: which graphs of a dump, and what happens to the graph or files on screen. */
import { create } from 'zustand'
import type { DumpGraph } from '../../engine/dumps'
import type { CaptureChoice } from './open_capture'
import type { TextFile } from '../../workspace'

/** The content of dropped folders. */
export interface FolderContent {
  name: string
  python: readonly TextFile[]
  graphs: readonly DumpGraph[]
  /** Captures, for instance of the ranks of one program. */
  captures: readonly TextFile[]
  /** Number of Python files beyond the limit. */
  left: number
  /** Number of files that are neither Python nor dumps. */
  others: number
}

/** What happens to a capture when another one is opened over it. */
export type CapturePlace = 'replace' | 'add' | 'compare'

/** A graph of a capture. */
export interface ChosenRun {
  choice: CaptureChoice
  run: number
}

export type Question =
  /** Which graphs of a dump to open. `chosen`: the initially checked ones. */
  | { kind: 'choose'; name: string; graphs: readonly DumpGraph[]; chosen: readonly number[]; pipeline: boolean }
  /** A graph is already on screen. */
  | { kind: 'present'; files: readonly TextFile[] }
  /** A folder of Python files is dropped while files are open. */
  | { kind: 'folder'; folder: FolderContent }
  /** A capture holds several graphs, or there are captures of several ranks or runs. */
  | { kind: 'runs'; choices: readonly CaptureChoice[]; answer: (chosen: ChosenRun | null) => void }
  /** A capture is already open. `name`: the name of the new one. */
  | { kind: 'captures'; name: string; answer: (place: CapturePlace | null) => void }
  /** `?from=` names a file on another host. */
  | { kind: 'source'; url: string; host: string; answer: (load: true | null) => void }
  /** A large file is being read. */
  | { kind: 'reading'; name: string; read: number; size: number }

export const useQuestion = create<{ question: Question | null }>(() => ({ question: null }))

/** Asks a question; an open question ends without an answer. */
export function ask(question: Question | null): void {
  const { question: open } = useQuestion.getState()
  useQuestion.setState({ question })
  if (open && 'answer' in open) open.answer(null)
}

/** The graph of a capture to open; asks which one if it has several. @returns null if the question is closed */
export const askRun = async (choice: CaptureChoice): Promise<number | null> => (await askRunOf([choice]))?.run ?? null

/** The same for captures of several ranks or runs. */
export async function askRunOf(choices: readonly CaptureChoice[]): Promise<ChosenRun | null> {
  const [choice] = choices
  if (choice && choices.length === 1 && choice.runs.length === 1) return { choice, run: choice.runs[0]!.run }
  return answerTo<ChosenRun>((answer) => ({ kind: 'runs', choices, answer }))
}

/** Asks a question whose answer goes to `answer`. @returns null if it is closed */
export const answerTo = <A>(make: (answer: (value: A | null) => void) => Question): Promise<A | null> =>
  new Promise((resolve) => ask(make(resolve)))
