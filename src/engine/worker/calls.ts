/**
 * The page's requests to the engine that have a single answer. A request is an entry here and the session's method of that name: the
 * page's side is derived from this type (`callsBy`). An answer is plain data.
 */
import type { RunPrograms } from '../../gpu/types'
import type { Workspace } from '../../workspace/types'
import type { CompareReport } from '../compare/types'
import type { PatternOptions, SelectionAnswer } from '../from_selection/types'
import type { LanguageFacts } from '../language/types'
import type { MatchNumbers } from '../numbers/match_numbers_text'
import type { StageView } from '../pipeline/types'
import type { ExplainedPattern, Exported, ExportKind, GraphView, PinAnswer, PyTorchAnswer } from '../protocol'
import type { SwitchedOff } from '../switches/types'
import type { Timeline } from '../session/steps_types'
import type { FolderCounts } from '../table/types'

export interface Calls {
  /** The view of a graph's text beside the workspace; never runs Python, and leaves the last analysis as it is. */
  view(text: string): GraphView
  /** A number prints the graph after that stage of the last analysis. */
  print(workspace: Workspace, as: 'fx' | 'readable', which: 'before' | 'after' | number): string
  /** The graph of the last report, lowered to the operators that traced patterns hold, as print_readable. */
  lower(): string
  /** Operators and names of the thin torch; waits for Python. */
  language(): LanguageFacts
  /** A pattern for nodes of the workspace's graph, run at once; waits for Python. */
  pattern(workspace: Workspace, nodes: readonly string[], options: PatternOptions): SelectionAnswer
  /** Counts of the workspace's passes on its shown graph, without a report; waits for Python. */
  counts(workspace: Workspace): FolderCounts
  /** Compares another graph of the last report's workspace with the shown graph; `role` of the other graph. */
  compare(other: string, role: 'old' | 'new'): CompareReport
  /** The workspace of the last report as text for a real PyTorch. `failing`: also files that raise. */
  exported(as: ExportKind, failing?: boolean): Exported
  /** PyTorch's results for the files of the last report, from its recording; null if it cannot be read. */
  pytorchAnswer(recording: string): PyTorchAnswer | null
  /** The two programs of a match of the last report: see src/gpu/types.ts. */
  program(pass: string, match: number): RunPrograms
  /** The two sides of a registration of the last report, over inputs of these shapes (by argument name). */
  variantProgram(pass: string, entry: number, shapes: Record<string, number[]>): RunPrograms
  /** The whole graph before and after the passes of the last report. */
  graphProgram(): RunPrograms
  /** The match timeline of a pass at a node: one entry, or (null) all entries tried there. */
  steps(pass: string, entry: number | null, node: string): Timeline
  /** One pattern of the last report, expression by expression; runs no Python. */
  explainPattern(pass: string, entry: number): ExplainedPattern
  /** Whether the numbers of each match of the last report hold. */
  matchNumbers(): MatchNumbers[]
  /** Parts that are off in the last report, with the settings that turn them on: runs the files with other settings. */
  turnedOn(): SwitchedOff[]
  /** Why one pattern does not match at one node of the last report. */
  pin(pass: string, entry: number, node: string): PinAnswer
  /** The graph after a stage of the last report; 0: the original graph. An equal graph is returned as the same object. */
  stage(at: number): StageView
}

/**
 * A method for each call; its answer arrives later. If the signal aborts first, the call rejects, and does not begin if it is still
 * waiting.
 */
export type Asked = {
  [Name in keyof Calls]: (
    ...args: [...args: Parameters<Calls[Name]>, signal?: AbortSignal]
  ) => Promise<ReturnType<Calls[Name]>>
}

/** A call as a message. */
export type CallOf<Name extends keyof Calls = keyof Calls> = {
  [N in Name]: { name: N; args: Parameters<Calls[N]> }
}[Name]

/** Gives an object a method for each call. @param ask sends a call, and resolves with its answer */
export function callsBy<T extends object>(
  target: T,
  ask: (call: CallOf, signal: AbortSignal | undefined) => Promise<unknown>,
): T & Asked {
  return new Proxy(target, {
    get(own, name) {
      // Promises look up `then`.
      if (name in own || typeof name === 'symbol' || name === 'then') return Reflect.get(own, name)
      return (...given: unknown[]) => {
        const last = given.at(-1)
        const signal = last instanceof AbortSignal ? last : undefined
        const args = signal ? given.slice(0, -1) : given
        return ask({ name, args } as unknown as CallOf, signal)
      }
    },
  }) as T & Asked
}
