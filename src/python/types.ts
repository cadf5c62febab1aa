/** The Python world as the engine sees it. One implementation (host.ts), in a browser worker and in Node alike. */
import type { Graph, SourceRef } from '../fx'
import type { StubDecision } from '../matcher/types'
import type { CallableId } from '../matcher/types'
import type { PatternHost, RegistrationSink } from '../matcher/host'
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

export interface FoundPass {
  /** Its variable; `manager.Class.attribute` for one that an object holds. */
  variable: string
  passId: number
  /** It acts only where it is named: it refuses the compile range, or another path is taken. */
  idle: boolean
}

/** One question to the environment (`current_platform.is_cuda()`), its answer, and the user's line that asked it first. */
export interface EnvironmentAnswer {
  question: string
  answer: string
  /** Where it was asked first. */
  source: SourceRef | null
  /** Further lines that asked and were told the same. */
  also?: SourceRef[]
}

/** One pass of the line: patterns to apply, or something to call with the graph. */
export interface FoundStage {
  variable: string
  passId: number | null
  /** What is called with the graph; of patterns, the user's own code that applies them, null where there is none. */
  callable: CallableId | null
  /** Class of the object that holds the patterns, or that is called. */
  of: string | null
  /** Of torch._inductor.config: `post_grad_custom_pre_pass`. */
  hook: string | null
  /** Variable of the pass manager that lists it. */
  manager: string | null
  /** Its is_applicable_for_range, or an older one of its kind, said no. */
  refused: EnvironmentAnswer | null
  /** The other of two compile paths is taken. */
  path: EnvironmentAnswer | null
  /** What its own uuid() gave. */
  uuid: string | null
  /** Its class is there, and the pass manager did not make it with its configuration: it never acts. */
  unmade?: true
}

/** A module that is missing and is stubbed. */
export interface Stub {
  module: string
  /** Attributes that were asked of it. */
  asked: string[]
  /** The user's line that imported it first, or asked a module of ours for what it lacks. Absent in old reports. */
  source?: SourceRef | null
  /** Lines where an answer of the stub decided a check, a branch or a loop: what follows rests on it. Absent if none. */
  decided?: StubDecision[]
}

export interface PythonRun {
  /** PatternMatcherPasses that the files leave behind, in the order of `line`. */
  passes: FoundPass[]
  /** All that acts on a graph, in the order in which hooks and pass managers call it. */
  line: FoundStage[]
  failure: PythonFailure | null
  console: { stream: 'stdout' | 'stderr'; text: string }[]
  stubs: Stub[]
  /** What the code asked about its environment, what it was told, and where it asked first. */
  asked: EnvironmentAnswer[]
  ms: number
}

/** One unit test of the user's files. */
export interface PythonTest {
  /** `test_fires[float16]`, `TestPass.test_count`. */
  name: string
  file: string
  /** Where it is defined. */
  line: number
  outcome: 'passed' | 'failed' | 'skipped'
  /** What it raised, or why it was skipped; of an assert that says nothing, its line. */
  message: string | null
  error: PythonFailure | null
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
  /**
   * Calls a stage of the last run's line with the graph, which it may edit.
   * @param apply what applying a pass to that graph does while the call lasts, and its count of matches; without it, what
   *   the sink's applyOrThrow does
   * @throws PythonError
   */
  callPass(fn: CallableId, graph: Graph, apply?: (passId: number) => number): void
  /**
   * Imports the test files of the last run (test_*.py, *_test.py), which the run left alone, and runs their tests.
   * @param shown what their fixture `graph` is a copy of
   * @returns with all modules that the files asked for and that are not here
   */
  runTests(shown: Graph): { tests: PythonTest[]; stubs: PythonRun['stubs'] }
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
