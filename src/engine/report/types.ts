/** The Report of one analysis, and what arrives for it later, as plain data. */
import type { Problem } from '../../fx'
import type { Cause } from '../../explain/causes'
import type { Lint } from '../../explain/lints/types'
import type { EnvironmentAnswer, PythonFailure, Stub } from '../../python/types'
import type { Pipeline } from '../pipeline/types'
import type { GraphView } from './graph_view'
import type { Duplicate, NearMiss, PassReport } from './pass_types'

/** The registration tree: pass → class → axes → leaf. */
export interface TreeNode {
  kind: 'pass' | 'class' | 'axis' | 'leaf'
  /** `quant_key = kFp8Dynamic128Sym` for an axis value. */
  label: string
  axis?: string
  value?: string
  fired: number
  leaves: number
  pass: string
  /** For a leaf. */
  entry?: number
  children: TreeNode[]
}

export interface ConsoleLine {
  stream: 'stdout' | 'stderr'
  text: string
}

/** One unit test of the workspace's files (test_*.py, *_test.py). */
export interface TestReport {
  /** `test_fires[float16]`, `TestPass.test_count`. */
  name: string
  file: string
  /** Where it is defined. */
  line: number
  outcome: 'passed' | 'failed' | 'skipped'
  /** What it raised, or why it was skipped. */
  message: string | null
  error: PythonFailure | null
  ms: number
}

/** What the passes did on one of several graphs of the workspace. */
export interface GraphColumn {
  /** The graph's name. */
  graph: string
  /** By Report.passes, then by its entries: how often each fired. */
  fired: number[][]
  /** What could not be read of the graph, or what a pass raised there. */
  problem: string | null
}

export interface Report {
  v: 1
  graph: GraphView
  /** After all passes and dead-code elimination; null when nothing ran. */
  after: GraphView | null
  passes: PassReport[]
  tree: TreeNode[]
  /** Of a workspace with several graphs: each graph in their order, as far as it was worked out. */
  columns?: GraphColumn[]
  /** All passes, those that are off included, with what a compile cache knows them by; absent when Python failed. */
  pipeline?: Pipeline
  python: PythonFailure | null
  /** What is wrong before any pass runs: a pattern registered twice, no pass at all. */
  causes?: Cause[]
  problems: Problem[]
  /** The unit tests of the files, which ran after the passes; absent when there is none. */
  tests?: TestReport[]
  console: ConsoleLine[]
  stubs: Stub[]
  /** What the code asked about its environment; absent when nothing. */
  asked?: EnvironmentAnswer[]
  /** Operators whose schema was inferred from the call. */
  inferredOps: string[]
  timings: { parseMs: number; pythonMs: number; applyMs: number; totalMs: number }
}

/** What explaining one pass found. */
export interface PassExplained {
  /** Index into Report.passes. */
  pass: number
  nearMisses: NearMiss[]
  causes: Cause[]
  lints: Lint[]
  duplicates?: Duplicate[]
  explainMs: number
  /** What explaining had no time or room for, in one sentence. */
  leftOut?: string
}

/** "This should match here": one pattern at one node, and nothing else. */
export interface PinAnswer {
  pass: string
  entry: number
  node: string
  /** True when the pattern fires here as it is. */
  fires: boolean
  /** What stands between the two; null when it fires. `anchors` is the node alone, however far away it is. */
  miss: NearMiss | null
}
