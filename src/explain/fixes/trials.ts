/** Interface of the fix search to the engine: trial runs of changed files through the real matcher, and Python's syntax. */
import type { Graph, Node } from '../../fx'
import type { RefusalKind } from '../../matcher/reasons/refusal'
import type { AppliedMatch } from '../../matcher/observer'
import type { PassToExplain } from '../explain'
import type { SourceFile } from './change'
import type { SyntaxData } from './syntax'
import type { NumbersResult } from './types'

/** One run of a workspace's files, with its passes applied. */
export interface FixRun {
  files: readonly SourceFile[]
  passes: readonly FixPass[]
  /** What it was made with besides the files. */
  setting: Setting | null
  /** What the code asked about its environment. */
  asked: readonly { question: string; answer: string }[]
  /** What ended the Python, if anything did. */
  failure: {
    type: string
    message: string
    frames: readonly { file: string; line: number }[]
    /** Set where register_replacement raised it. */
    refusal: RefusalKind | null
  } | null
  /** Matches of all passes. */
  total: number
  /** Where a callable that it registered stands. */
  definition(callable: number): Definition | null
}

/** What a pass did to a graph. */
export interface AppliedRewrite {
  /** The graph as the pass found it; not touched. */
  before: Graph
  /** The graph as the pass left it, before dead code is removed. */
  after: Graph
  /** From each node of `before` to its copy, which is in `after` unless the pass erased it. */
  copies: ReadonlyMap<Node, Node>
  /** What it replaced, in order; `nodes` are names in `before`, `added` names in `after`. */
  matches: readonly AppliedMatch[]
}

export interface FixPass extends AppliedRewrite {
  /** The pass's variable; `variable#2` for the second time that it was applied. The same in each run of the workspace. */
  key: string
  name: string
  /** By entry: the replacement traced over the example inputs. */
  replacements: readonly (Graph | null)[]
  toExplain: PassToExplain
  /** Names an entry across runs of changed files: its place in the order of registration. */
  keyOf(entry: number): string
  /** The entry of a key; null when it is not registered here. */
  entryOf(key: string): number | null
  fired(entry: number): number
}

/** Where a function of the user's stands. */
export interface Definition {
  file: string
  line: number
  name: string
}

/** Changes a traced pattern, the same way in each trace of it; false where it finds nothing to change. */
export type PatternEdit = (graph: Graph) => boolean

/** Changes a copy of the graph before the passes act on it. */
export type GraphEdit = (graph: Graph) => void

/** Of the workspace's environment, what a pattern's code may have asked and a repair may change. */
export interface TrialEnvironment {
  customOps: readonly string[]
  functionalization: 'v1' | 'v2'
}

/** What a run has otherwise than the workspace. */
export interface Setting {
  graph?: GraphEdit
  environment?: Partial<TrialEnvironment>
}

export interface TrialRunner {
  /** As the first pass gets it. */
  readonly graph: Graph
  readonly environment: TrialEnvironment
  /** Runs files; nodes and registrations carry their spans. What an earlier run registered can be asked no more. */
  run(files: readonly SourceFile[], setting?: Setting | null): FixRun
  /** The files as they are, with what one entry's search function traces to changed. */
  runWithPattern(files: readonly SourceFile[], pass: string, key: string, edit: PatternEdit): FixRun
  syntax(text: string): SyntaxData | null
  /**
   * Compares what the graph computes before and after the matches that `run` has and `base` has not. Yields between
   * two runs of the numbers; needs no Python.
   */
  numbers(run: FixRun, base: FixRun): Generator<null, NumbersResult>
  /** Compares two functions traced over the same inputs; null where their inputs or outputs do not correspond. */
  sameFunction(a: Graph, b: Graph): Generator<null, NumbersResult | null>
}
