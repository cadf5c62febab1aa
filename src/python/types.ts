/** The Python world as the engine sees it. One implementation (host.ts), in a browser worker and in Node alike. */
import type { SourceRef } from '../fx'
import type { CallableId, PatternHost, RegistrationSink } from '../matcher/types'
import type { Tracer } from '../trace/types'

/** Where Pyodide's own files come from: an URL folder in the browser, a directory in Node. */
export interface PythonAssets {
  indexURL: string
  /** Our Python files by path inside site-packages: `torch/__init__.py` → text. */
  lib: Readonly<Record<string, string>>
}

/** As workspace/types.ts has it; the platform is a name that _fusescope/environment.py knows. */
export interface PythonEnvironment {
  platform: string
  dtype: string
  tokens: number | null
  customOps: readonly string[]
  functionalization: 'v1' | 'v2'
  flags: Readonly<Record<string, boolean | number | string>>
}

export interface PythonFile {
  name: string
  text: string
}

export interface PythonFailure {
  /** `RuntimeError`, `SyntaxError`, … */
  type: string
  /** str(e). */
  message: string
  /** The user's frames only, innermost last. For a SyntaxError, the place it names. */
  frames: SourceRef[]
  /** The traceback as Python prints it, the user's frames only. */
  traceback: string
}

export interface PythonRun {
  /** Module-level PatternMatcherPass variables of the run's files, in the order of definition. */
  passes: { variable: string; passId: number }[]
  failure: PythonFailure | null
  console: { stream: 'stdout' | 'stderr'; text: string }[]
  stubs: { module: string; asked: string[] }[]
  /** What the code asked about its environment, what it was told, and where it asked first. */
  asked: { question: string; answer: string; source: SourceRef | null }[]
  ms: number
}

export interface PythonHost extends PatternHost {
  /** Python ran out of its stack and is gone: every further call throws; create another host (another worker). */
  readonly broken: boolean
  /**
   * Runs the files in order in a fresh user world (modules, torch.library definitions, passes of the last run are
   * gone), calling the sink for each registration. User errors are in the result; nothing is thrown for them.
   * @param environment what vllm.platforms and its like answer from; absent: DEFAULTS of _fusescope/environment.py
   */
  run(files: readonly PythonFile[], environment?: PythonEnvironment): PythonRun
  /** From the next run on, the sources of nodes and registrations carry their `spans`, or no more. */
  precisePlaces(on: boolean): void
  /** A file's syntax as Python's ast reads it; null when it does not parse. */
  syntax(text: string): SyntaxData | null
  /** Where a function of the user's is defined, for one the last run made. */
  callablePlace(fn: CallableId): { file: string; line: number; name: string } | null
  /** stdout and stderr written since the last call (extra_checks print while passes apply). */
  drainConsole(): { stream: 'stdout' | 'stderr'; text: string }[]
}

/** A file's syntax: the module's node first. Columns as in SourceSpan; a field that is a node is `{ n: its index }`. */
export type SyntaxData = readonly (readonly [
  type: string,
  span: readonly [line: number, column: number, endLine: number, endColumn: number] | null,
  fields: Readonly<Record<string, unknown>>,
])[]

export interface PythonHostOptions {
  assets: PythonAssets
  tracer: Tracer
  sink: RegistrationSink
}

export type CreatePythonHost = (options: PythonHostOptions) => Promise<PythonHost>
export type { CallableId }
