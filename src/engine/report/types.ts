/** The Report of one analysis, and the results that arrive after it, as plain data. */
import type { TorchVersion } from '../../base/torch_version'
import type { Problem } from '../../fx'
import type { Cause } from '../../explain/causes'
import type { Lint } from '../../explain/lints/types'
import type { EnvironmentAnswer, FileOutcome, PythonFailure, PythonTest, Stub } from '../../python/types'
import type { SchemaChoice } from '../../trace/types'
import type { CaptureReport } from '../capture/report_types'
import type { Pipeline } from '../pipeline/types'
import type { GraphShapes } from '../shapes/types'
import type { SwitchedOff } from '../switches/types'
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

/** Counts of the passes on one of several graphs of the workspace. */
export interface GraphColumn {
  /** The graph's name. */
  graph: string
  /** Number of matches, indexed by Report.passes, then by entry. */
  fired: number[][]
  /** Number of places where all nodes align but shapes are missing, indexed likewise; absent if none. */
  unshaped?: number[][]
  /** The first problem in the graph's text, or the exception of a pass. */
  problem: string | null
}

export interface Report {
  /** The PyTorch version of the verdicts; absent: the newest. */
  torch?: TorchVersion
  v: 1
  graph: GraphView
  /** The graph after all passes and dead-code elimination; null if nothing ran. */
  after: GraphView | null
  passes: PassReport[]
  tree: TreeNode[]
  /** For a workspace with several graphs: the columns computed so far, in graph order. */
  columns?: GraphColumn[]
  /** All stages, inactive ones included, with their compile-cache keys; absent if Python failed. */
  pipeline?: Pipeline
  python: PythonFailure | null
  /** Causes found before any pass runs: a pattern registered twice, no pass at all. */
  causes?: Cause[]
  problems: Problem[]
  /** For a graph whose text leaves out shapes: the inputs that need one. */
  shapes?: GraphShapes
  /** Unit tests of the files, run after the passes; absent if none. */
  tests?: PythonTest[]
  /** The outcome of each Python file; absent if all ran and nothing registers late. */
  files?: FileOutcome[]
  console: ConsoleLine[]
  stubs: Stub[]
  /** The list of what the environment turned off; absent if nothing. */
  off?: SwitchedOff[]
  /** Environment queries of the code; absent if none. */
  asked?: EnvironmentAnswer[]
  /** Operators whose schema was inferred from the call. */
  inferredOps: string[]
  /** Versions of cataloged operators in use, where several are known; absent if none. */
  schemas?: SchemaChoice[]
  /** For a workspace that comes from a capture: the real run. */
  capture?: CaptureReport
  timings: { parseMs: number; pythonMs: number; applyMs: number; totalMs: number }
}

/** The explanation of one pass. */
export interface PassExplained {
  /** Index into Report.passes. */
  pass: number
  nearMisses: NearMiss[]
  causes: Cause[]
  lints: Lint[]
  duplicates?: Duplicate[]
  explainMs: number
  /** What explaining skipped for lack of time, in one sentence. */
  leftOut?: string
}

/** The answer to "This should match here": one pattern at one node. */
export interface PinAnswer {
  pass: string
  entry: number
  node: string
  /** True if the pattern fires here. */
  fires: boolean
  /** Why it does not fire; null if it fires. `anchors` contains only this node, even with a low score. */
  miss: NearMiss | null
}
