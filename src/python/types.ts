/** The interface of the Python host. It has one implementation (host.ts), for browser workers and Node. */
import type { PyodideConfig } from 'pyodide'
import type { TorchVersion } from '../base/torch_version'
import type { Graph, SourceRef } from '../fx'
import type { CallableId, StubDecision } from '../matcher/types'
import type { LateLibrary } from './start/late_library'
import type { PassCall, RecordedCall } from './pass_call'
import type { LiveHost, RegistrationSink } from '../matcher/host'
import type { Tracer } from '../trace/types'

/** Location of Pyodide's own files: a URL in the browser, a directory in Node. */
export interface PythonAssets {
  indexURL: string
  /** Loads the function that makes Pyodide's module (`pyodide.asm.mjs`). */
  module(): Promise<NonNullable<PyodideConfig['createPyodideModule']>>
  /** Our Python files by path inside site-packages: `torch/__init__.py` → text. For a start without a snapshot, and for exports. */
  lib(): Readonly<Record<string, string>>
  /** Loads the content of `lib`, before a start without a snapshot; absent: `lib` has it already. */
  loadLib?(): Promise<void>
  /** The memory of a Python that has imported `lib` (start/load.ts); absent or rejected: Python starts cold. */
  snapshot?(): Promise<Uint8Array>
  /**
   * The zip of the standard library that `snapshot` was made with, if it may arrive after the start; absent: Pyodide loads its own.
   */
  late?: LateLibrary
}

/** The environment of workspace/types.ts; the platform is a name in _fusescope/environment.py. */
export interface PythonEnvironment {
  platform: string
  dtype: string
  tokens: number | null
  customOps: readonly string[]
  functionalization: 'v1' | 'v2'
  flags: Readonly<Record<string, boolean | number | string>>
  layers?: Readonly<Record<string, string>>
  /** Absent: the newest. */
  torch?: TorchVersion
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
  /** The user's frames only, innermost last. For a SyntaxError, its position. */
  frames: SourceRef[]
  /** Python's traceback, with the user's frames only. */
  traceback: string
  /** Expression of the innermost frame that raised; columns from 1, in UTF-16 units, the end exclusive. */
  span?: readonly [line: number, column: number, endLine: number, endColumn: number]
  /** The name that does not exist, and the closest one that does. */
  closest?: readonly [name: string, closest: string | null]
  /** For a registration with too few example inputs: the search function and the first parameter without one. */
  unfed?: readonly [
    search: readonly [file: string, line: number, name: string],
    parameters: number,
    examples: number,
    missing: string,
  ]
  /** One sentence of advice; absent if unknown. */
  advice?: string
  /** The edit that the advice describes, in the innermost frame's file. */
  edit?: QuickFix
}

/** Replaces text of one file. Lines and columns from 1, in UTF-16 units. */
export interface QuickFix {
  title: string
  from: { line: number; column: number }
  to: { line: number; column: number }
  text: string
}

export interface FoundPass {
  /** Its variable; `manager.Class.attribute` for a pass inside an object. */
  variable: string
  passId: number
  /** It acts only if listed explicitly: it rejects the compile range, or another compile path is active. */
  idle: boolean
}

/** One query of the environment (`current_platform.is_cuda()`), its answer, and its first source line. */
export interface EnvironmentAnswer {
  question: string
  answer: string
  /** The first source line. */
  source: SourceRef | null
  /** Further source lines of the same query. */
  also?: SourceRef[]
  /** The settings of the environment that it was computed from; absent if none is known. */
  settings?: EnvironmentSetting[]
}

export interface EnvironmentSetting {
  /** `platform`, `dtype`, `tokens`, `custom_ops`, `layers`, or `flag NAME`. */
  name: string
  /** Null: not set. */
  value: string | null
}

/** One stage of the pipeline: patterns to apply, or a callable to call with the graph. */
export interface FoundStage {
  variable: string
  passId: number | null
  /** The callable that is called with the graph; for patterns, the user's code that applies them, or null. */
  callable: CallableId | null
  /** Class of the object that contains the patterns or is called; `P.apply` for an override. */
  of: string | null
  /** The callable overrides `apply` or `__call__` of PatternMatcherPass and runs instead of the matcher. */
  override?: true
  /** Name of the hook in torch._inductor.config: `post_grad_custom_pre_pass`. */
  hook: string | null
  /** Variable of the pass manager that lists it. */
  manager: string | null
  /** Its is_applicable_for_range (or an older equivalent) returned False. */
  refused: EnvironmentAnswer | null
  /** The other of two compile paths is active. */
  path: EnvironmentAnswer | null
  /** The value of its own uuid(). */
  uuid: string | null
  /** Its class is defined, but the pass manager does not instantiate it in this configuration: it never acts. */
  unmade?: true
  /** For such a class outside pass managers: what it needs, in one or two sentences. */
  why?: string
  /** It works on a graph, but nothing names it a pass: it acts only if listed. */
  proposed?: true
  /** Another pass of the files calls it: it is a stage only if listed. */
  within?: true
  /** One sentence about the stage: a missing base class. */
  note?: string
  /** The definition of the code that is called. */
  place?: SourceRef | null
}

/** A missing module, which is stubbed. */
export interface Stub {
  module: string
  /** Attributes that user code accessed. */
  asked: string[]
  /**
   * The user's line that first imported it, or accessed a missing attribute of one of our modules. Absent in old
   * reports.
   */
  source?: SourceRef | null
  /**
   * Lines where a value of the stub decided a check, a branch or a loop, so that later results depend on it. Absent if
   * none.
   */
  decided?: StubDecision[]
}

/** The outcome of one user file. */
export interface FileOutcome {
  file: string
  /** The name under which other files import it. */
  module: string
  /** Patterns that its lines registered. */
  registered: number
  /** Its own exception. */
  failure: PythonFailure | null
  /** The file whose exception stopped this one, which imports it. */
  stoppedBy: string | null
  /** Functions that need no arguments and would register patterns, and that nobody has called. */
  uncalled: string[]
}

export interface PythonRun {
  /** The PatternMatcherPasses of the files, in the order of `line`. */
  passes: FoundPass[]
  /** All stages that act on a graph, in the order in which hooks and pass managers call them. */
  line: FoundStage[]
  /** By file, in the order of their import; tests are left out. */
  files: FileOutcome[]
  /** Set if nothing can be applied; the exception of one file among others is in `files` only. */
  failure: PythonFailure | null
  console: ConsoleLine[]
  stubs: Stub[]
  /** The environment queries of the code, with answers and first source lines. */
  asked: EnvironmentAnswer[]
  /** The definitions in the files, if no stage was found: `def f(x, y) at a.py:3`. */
  defines?: string[]
  /** Operators that a user's function computes, by target: the definition site of the function. */
  bodies: ReadonlyMap<string, SourceRef>
  ms: number
}

/** What user code printed. */
export interface ConsoleLine {
  stream: 'stdout' | 'stderr'
  text: string
}

/** One unit test of the user files (test_*.py, *_test.py). */
export interface PythonTest {
  /** `test_fires[float16]`, `TestPass.test_count`. */
  name: string
  file: string
  /** Where it is defined. */
  line: number
  outcome: 'passed' | 'failed' | 'skipped'
  /** Its exception, or the reason for skipping; for an assert without a message, its source line. */
  message: string | null
  error: PythonFailure | null
  ms: number
}

export interface PythonHost extends LiveHost {
  /** Python exhausted its stack and terminated: every further call throws; create another host (another worker). */
  readonly broken: boolean
  /**
   * Runs the files in order from a clean state (without modules, torch.library definitions and passes of the last run),
   * calling the sink for each registration. User errors are in the result, never thrown.
   * @param environment the source of the answers of vllm.platforms and similar modules; absent: DEFAULTS of
   * _fusescope/environment.py
   * @param precise true: the sources of nodes and registrations have `spans`
   */
  run(files: readonly PythonFile[], environment?: PythonEnvironment, precise?: boolean): PythonRun
  /**
   * Calls a stage of the last run's line with the graph, which it may edit: the graph also takes the nodes of another one
   * that the code returns or gives its module.
   * @param apply applies a pass to that graph during the call and returns its count of matches; default: the sink's
   * applyOrThrow
   * @param asks records what the code asked
   * @throws PythonError
   */
  callPass(fn: CallableId, graph: Graph, apply?: (passId: number) => number, asks?: boolean): PassCall
  /** The record of the last callPass, also of one that threw. */
  lastCall(): RecordedCall
  /**
   * Traces a graph's calls as fwd_only traces a function: Dynamo's torch functions and tensor methods, and ATen
   * operators that Inductor decomposes, become the operators that traced patterns hold. Operators that the last run
   * declared are known.
   * @throws TorchError or PythonError with the call that cannot be traced
   */
  lower(graph: Graph): Graph
  /**
   * Traces the body of a user's operator of the last run, as fwd_only traces a function.
   * @param call a graph with the arguments as placeholders, one call of the operator, and its result as the output
   * @throws TorchError or PythonError with what the body raises
   */
  traceBody(call: Graph): Graph
  /**
   * Imports the test files of the last run (test_*.py, *_test.py), which the run left alone, and runs their tests.
   * @param shown the graph that their fixture `graph` copies
   * @returns the results, with all missing modules that the files imported
   */
  runTests(shown: Graph): { tests: PythonTest[]; stubs: PythonRun['stubs'] }
  /**
   * Gives the functions in a file of the last run (a precise one) the code of a changed text, until `unpatch`. False, with nothing
   * changed, if the text changes more than functions.
   */
  patch(file: PythonFile): boolean
  unpatch(): void
  /**
   * Gives the functions of the last run's files the code of edited texts, until `undoEdit`. Returns the functions whose traces ran
   * changed code; null, with nothing changed, if only a run of the files shows the changes.
   */
  edit(files: readonly PythonFile[]): CallableId[] | null
  undoEdit(): void
  /**
   * Repeats the call that registered a search function, if code changed by `patch` ran while the files were loaded. Returns the
   * number of its registration among those that the sink then receives; -1 if none is made; null if only a run shows the changes.
   * @throws PythonError if the user's code raises
   */
  registerAgain(search: CallableId): number | null
  /** Public names of the modules that patterns use. */
  moduleNames(): ModuleNames
  /** A file's syntax tree from Python's ast; null if it does not parse. */
  syntax(text: string): SyntaxData | null
  /** The definition site of a user's function of the last run. */
  callablePlace(fn: CallableId): { file: string; line: number; name: string } | null
  /** stdout and stderr written since the last call (extra_checks print while passes apply). */
  takeOutput(): ConsoleLine[]
}

/** By module (`torch.nn.functional`, `Tensor` for the methods): each name with its signature, empty if unknown. */
export type ModuleNames = Readonly<Record<string, readonly (readonly [name: string, signature: string])[]>>

/** A file's syntax: the module's node first. Columns as in SourceSpan; a field that is a node is `{ n: its index }`. */
export type SyntaxData = readonly (readonly [
  type: string,
  span: readonly [line: number, column: number, endLine: number, endColumn: number] | null,
  fields: Readonly<Record<string, unknown>>,
])[]

export interface PythonHostOptions {
  assets: PythonAssets
  tracer: Tracer
  /** Receives the registrations of the current run. */
  sink(): RegistrationSink
}

export type CreatePythonHost = (options: PythonHostOptions) => Promise<PythonHost>
export type { CallableId }
