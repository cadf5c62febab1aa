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
  ms: number
}

export interface PythonHost extends PatternHost {
  /** Python ran out of its stack and is gone: every further call throws; create another host (another worker). */
  readonly broken: boolean
  /**
   * Runs the files in order in a fresh user world (modules, torch.library definitions, passes of the last run are
   * gone), calling the sink for each registration. User errors are in the result; nothing is thrown for them.
   */
  run(files: readonly PythonFile[]): PythonRun
  /** stdout and stderr written since the last call (extra_checks print while passes apply). */
  drainConsole(): { stream: 'stdout' | 'stderr'; text: string }[]
}

export interface PythonHostOptions {
  assets: PythonAssets
  tracer: Tracer
  sink: RegistrationSink
}

export type CreatePythonHost = (options: PythonHostOptions) => Promise<PythonHost>
export type { CallableId }
