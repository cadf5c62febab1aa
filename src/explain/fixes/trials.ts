/**
 * The fix search's interface to the engine: trial runs of changed files through the real matcher, and Python syntax.
 */
import type { Graph, Node } from '../../fx'
import type { RefusalKind } from '../../matcher/reasons/refusal'
import type { AppliedMatch } from '../../matcher/observer'
import type { PassToExplain } from '../explain'
import type { SourceFile } from './change'
import type { SyntaxData } from './syntax'
import type { FixStage } from './code_on_graph/types'
import type { NumbersResult } from './types'

/** One run of a workspace's files, with its passes applied. */
export interface FixRun {
  files: readonly SourceFile[]
  passes: readonly FixPass[]
  /** The settings other than the files. */
  setting: Setting | null
  /** The code's questions to the environment, with the answers. */
  answers: readonly { question: string; answer: string }[]
  /** The exception that ended the user's Python, if any. */
  failure: {
    type: string
    message: string
    frames: readonly { file: string; line: number }[]
    /** Set if register_replacement raised it. */
    refusal: RefusalKind | null
  } | null
  /** Stages that are code on the graph; empty for a run that does not observe code. */
  stages: readonly FixStage[]
  /** Matches of all passes. */
  total: number
  /** The definition of a registered callable. */
  definition(callable: number): Definition | null
}

/** The effect of a pass on a graph. */
export interface AppliedRewrite {
  /** The graph before the pass; never modified. */
  before: Graph
  /** The graph after the pass, before dead code elimination. */
  after: Graph
  /** Maps each node of `before` to its copy, which is in `after` unless the pass erased it. */
  copies: ReadonlyMap<Node, Node>
  /** The matches it replaced, in order; `nodes` are names in `before`, `added` names in `after`. */
  matches: readonly AppliedMatch[]
}

export interface FixPass extends AppliedRewrite {
  /** The pass's variable, `variable#2` for its second application. Stable across runs of a workspace. */
  key: string
  name: string
  /** The replacement of an entry, traced with the example inputs. Runs the files again if a later run took Python. */
  replacement(entry: number): Graph | null
  toExplain: PassToExplain
  /** Identifies an entry across runs of changed files: its index in the order of registration. */
  keyOf(entry: number): string
  /** The entry with this key; null if this run does not register it. */
  entryOf(key: string): number | null
  fired(entry: number): number
}

export type NamedPass = Pick<FixPass, 'key' | 'name'>

/** Location of a function in the user's code. */
export interface Definition {
  file: string
  line: number
  name: string
}

/** Changes a traced pattern, in the same way in each trace; false if there is nothing to change. */
export type PatternEdit = (graph: Graph) => boolean

/** Changes a copy of the graph before the passes run. */
export type GraphEdit = (graph: Graph) => void

/** The parts of the workspace's environment that a pattern's code may read and a fix may change. */
export interface TrialEnvironment {
  customOps: readonly string[]
  functionalization: 'v1' | 'v2'
}

/** The settings in which a run differs from the workspace. */
export interface Setting {
  graph?: GraphEdit
  environment?: Partial<TrialEnvironment>
}

export interface TrialRunner {
  /** The graph as the first pass receives it. */
  readonly graph: Graph
  readonly environment: TrialEnvironment
  /** Runs files and records spans on nodes and registrations. Invalidates the registrations of earlier runs. */
  run(files: readonly SourceFile[], setting?: Setting | null): FixRun
  /** The same, with the conditions and edits of code on the graph. */
  runCode(files: readonly SourceFile[], setting: Setting | null): FixRun
  /**
   * Traces one entry again with the changed files and repeats the call that applies its pass, on the graph as it was then. It takes
   * a hundredth of a run's time and shows whether the entry may fire. Null if the change needs a full run.
   */
  screen(files: readonly SourceFile[], pass: NamedPass, key: string): FixRun | null
  /**
   * Runs the unchanged files with a change to the trace of one entry's search function.
   * @param alone only the call that applies the pass, as in `screen`
   */
  runWithPattern(files: readonly SourceFile[], pass: NamedPass, key: string, edit: PatternEdit, alone: boolean): FixRun
  syntax(text: string): SyntaxData | null
  /**
   * Compares the graph's values before and after the matches that `run` has and `base` does not. Yields between numeric runs; does
   * not need Python.
   * @param ms wall-clock time
   */
  numbers(run: FixRun, base: FixRun, ms: number): Generator<null, NumbersResult>
  /** Compares the graph's values before and after the edits of a stage that is code. */
  stageNumbers(run: FixRun, stage: string, ms: number): Generator<null, NumbersResult>
  /** Compares two functions traced with the same inputs; null if their inputs or outputs do not correspond. */
  sameFunction(a: Graph, b: Graph, ms: number): Generator<null, NumbersResult | null>
}
