/**
 * The engine's one API, as plain data that crosses to the page by structured clone and goes into JSON as it is
 * (no bigint, no classes). Views read these types and never a Graph.
 */
import type { Message, MessagePart } from '../base/message'
import type { Problem, SourceRef } from '../fx'
import type { Cause } from '../explain/causes'
import type { Fix, TextEdit } from '../explain/fixes/types'
import type { Lint, LintKind } from '../explain/lints/types'
import type { NearMissFold } from '../explain/near_misses'
import type { Reason } from '../explain/reasons/reason'
import type { Attempt, Mismatch } from '../matcher/types'
import type { Workspace } from '../workspace/types'
import type { Violation, ViolationKind } from './invariants/types'
import type { Pipeline, StageView } from './pipeline/types'

export type {
  Attempt,
  Cause,
  Fix,
  Lint,
  LintKind,
  Message,
  MessagePart,
  Mismatch,
  Problem,
  Reason,
  SourceRef,
  TextEdit,
  Violation,
  ViolationKind,
}

/** Colour class of a node: what kind of work it is. */
export type OpFamily =
  | 'input'
  | 'output'
  | 'matmul'
  | 'elementwise'
  | 'reduction'
  | 'view'
  | 'factory'
  | 'cast'
  | 'functionalized'
  | 'custom'
  | 'getitem'
  | 'attention'
  | 'collective'
  | 'higher_order'
  | 'other'

export interface NodeView {
  name: string
  op: string
  /** `aten.mm.default`, `operator.getitem`; for auto_functionalized see `inner`. */
  target: string
  /** The operator that an auto_functionalized node wraps: `_C.silu_and_mul.default`. */
  inner: string | null
  family: OpFamily
  /** `bf16`, `f8e4m3fn` as print_readable writes them; null when not known. */
  dtype: string | null
  /** `[48, 256]`; null when not known or no tensor. */
  shape: string | null
  stride: string | null
  device: string | null
  /** Arguments as print(graph) writes them. */
  args: string[]
  kwargs: [string, string][]
  /** Indices into GraphView.nodes, distinct, in argument order. */
  inputs: number[]
  users: number[]
  /** Further node.meta as Python reprs: `meta["stream_label"]` and its like; absent when there is none. */
  meta?: [key: string, value: string][]
  source: SourceRef | null
  /** Line in the graph's text, from 1. */
  textLine: number | null
}

export interface GraphView {
  nodes: NodeView[]
  /** What could not be read; the nodes are the rest. */
  problems: Problem[]
}

export interface EntryReport {
  index: number
  /** The same for the same registration in another run, whatever is registered beside it. Absent in old reports. */
  key?: string
  /** Class or function that registered it: `SiluMulBlockQuantPattern`. Of functions of one name, with what tells them apart. */
  title: string
  /** Where register_replacement was called in user code. */
  source: SourceRef | null
  /** Its place in the order of the registrations; `index` is its place in the pass, by operator. Absent in old reports. */
  order?: number
  /** What the registration was made with: closure values, attributes and loop variables, as the user wrote them. */
  bindings: Record<string, string>
  /** Those that tell it from the others of its title, the outermost loop's first. Absent in old reports. */
  axes?: string[]
  /** PatternPrettyPrinter.run of the initial pattern. */
  text: string
  keys: string[]
  /** The search function as traced: placeholders, calls, output. Each node's `source` is the user's line. */
  pattern: GraphView
  /** The replacement traced over the example inputs, or why it could not be. */
  replacement: GraphView | null
  replacementError: string | null
  fired: number
}

export interface MatchReport {
  index: number
  entry: number
  /** Anchor node. */
  node: string
  nodes: string[]
  outputs: string[]
  /** Pattern argument → graph node name, or the constant's text. */
  inputs: Record<string, string>
  /** Pattern node index (EntryReport.pattern.nodes) → graph node name. */
  map: [number, string][]
  /** Names of nodes the replacement put in (in graphAfter). */
  added: string[]
}

/** Equal attempts that got somewhere and failed, folded: "32 attempts, same cause". */
export interface NearMiss extends NearMissFold {
  index: number
}

export interface PassReport {
  name: string
  count: number
  applyError: string | null
  entries: EntryReport[]
  attempts: Attempt[]
  /** How many attempts a stored report was written without; absent: `attempts` holds them all. */
  attemptsLeftOut?: number
  matches: MatchReport[]
  nearMisses: NearMiss[]
  /** Why the pass, or an entry of it, did nothing, where that is not about one place in the graph. */
  causes?: Cause[]
  /** Entries that are the same pattern as an earlier one once its constants and shapes are in; absent when none. */
  duplicates?: Duplicate[]
  /** What is doubtful about the patterns that fired. */
  lints?: Lint[]
  /** Invariants that the pass broke; absent when none. */
  violations?: Violation[]
  /**
   * False while near misses, causes and lints are still being worked out: they come in an `explained` event. Absent
   * means done.
   */
  explained?: boolean
  /** PyTorch's `pass_name`, when given. */
  passName: string | null
  applyMs: number
  /** Time spent on near misses and causes. */
  explainMs?: number
  /** What explaining had no time or room for, in one sentence. */
  leftOut?: string
}

/** Two registrations of one pattern: where both would fire, the first is tried first. */
export interface Duplicate {
  entry: number
  first: { pass: string; entry: number }
}

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

export interface PythonProblem {
  type: string
  message: string
  frames: SourceRef[]
  /** `Traceback (most recent call last): …` with the user's frames only. */
  traceback: string
}

export interface Stub {
  module: string
  /** Attributes that were asked of it. */
  asked: string[]
  /** The user's line that imported it first; absent in reports of before, null where none did. */
  source?: SourceRef | null
}

/** One question to the environment (`current_platform.is_cuda()`), its answer, and the line that asked it first. */
export interface EnvironmentAnswer {
  question: string
  answer: string
  source: SourceRef | null
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
  error: PythonProblem | null
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
  python: PythonProblem | null
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

/** Where a set of fixes belongs: a cause of a near miss, or (miss null) one of the pass. */
export interface FixesFound {
  /** Index into Report.passes; null for a cause of the report itself. */
  pass: number | null
  miss: number | null
  /** Index into the near miss's, the pass's or the report's causes. */
  cause: number
  fixes: Fix[]
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

export type EngineRequest =
  | { id: number; kind: 'analyze'; workspace: Workspace }
  /** Reads the graph only; needs no Python. */
  | { id: number; kind: 'read'; workspace: Workspace }
  /** Print the graph in another form. */
  | { id: number; kind: 'print'; workspace: Workspace; as: 'fx' | 'readable'; which: 'before' | 'after' }
  /** The two programs to run for a match: see src/gpu/types.ts. */
  | { id: number; kind: 'program'; pass: string; match: number }
  /** The two sides of a registration over inputs of these shapes, by argument name. */
  | { id: number; kind: 'variantProgram'; pass: string; entry: number; shapes: Record<string, number[]> }
  /** The whole graph before and after the passes of the last analysis. */
  | { id: number; kind: 'graphProgram' }
  /** The graph after a stage of the last analysis; 0: as it was given. */
  | { id: number; kind: 'stage'; at: number }
  /** One pattern at one node of the last analysis. */
  | { id: number; kind: 'pin'; pass: string; entry: number; node: string }
  /** The match as a timeline: one entry at one anchor, or (entry null) all entries there. */
  | { id: number; kind: 'steps'; pass: string; entry: number | null; node: string }

export type EngineEvent =
  | { id: number; kind: 'progress'; stage: 'python' | 'read' | 'run' | 'apply'; text: string; fraction: number | null }
  | { id: number; kind: 'graph'; graph: GraphView }
  /**
   * Ends the wait: everything but what explaining takes. `explained`, then (of several graphs) one `column` each, then
   * `fixes` follow for the same id.
   */
  | { id: number; kind: 'report'; report: Report }
  | { id: number; kind: 'explained'; passes: PassExplained[] }
  | { id: number; kind: 'column'; column: GraphColumn }
  /**
   * As they are found; `done` with the last of them, which may bring none. `cut`, with `done`: the time for the search
   * ran out before every cause was tried.
   */
  | { id: number; kind: 'fixes'; found: FixesFound[]; done: boolean; cut?: boolean }
  | { id: number; kind: 'text'; text: string }
  | { id: number; kind: 'program'; program: import('../gpu/types').RunPrograms }
  | { id: number; kind: 'pin'; answer: PinAnswer }
  | { id: number; kind: 'stage'; stage: StageView }
  | { id: number; kind: 'steps'; timeline: import('./session/steps_types').Timeline }
  | { id: number; kind: 'failed'; message: string }
  /** Python is loaded and the torch package imported. */
  | { id: 0; kind: 'ready'; ms: number }
