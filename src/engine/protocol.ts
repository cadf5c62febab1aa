/**
 * The engine's one API, as plain data that crosses to the page by structured clone and is valid JSON (no bigint, no
 * classes). Views read these types and never a Graph.
 */
import type { Message, MessagePart } from '../base/message'
import type { Problem, SourceRef } from '../fx'
import type { Cause } from '../explain/causes'
import type { ExplainedPattern } from '../explain/expressions/types'
import type { Fix, FixesFound, TextEdit } from '../explain/fixes/types'
import type { Lint, LintKind } from '../explain/lints/types'
import type { Reason } from '../explain/reasons/reason'
import type { Attempt, Mismatch, StubDecision } from '../matcher/types'
import type { SchemaChoice } from '../trace/types'
import type { EnvironmentAnswer, FileOutcome, PythonFailure, QuickFix, Stub } from '../python/types'
import type { Workspace } from '../workspace/types'
import type { CompareReport } from './compare/types'
import type { Exported, ExportKind } from './export/types'
import type { PatternOptions, SelectionAnswer } from './from_selection/types'
import type { LanguageFacts } from './language/types'
import type { Violation, ViolationKind } from './invariants/types'
import type { StageView } from './pipeline/types'
import type { GraphView } from './report/graph_view'
import type { FolderCounts } from './table/types'
import type { GraphColumn, PassExplained, PinAnswer, Report } from './report/types'

export type * from './language/types'
export type * from './shapes/types'
export type * from './table/types'
export type {
  ConstantChoice,
  MadePattern,
  PatternConstant,
  PatternOptions,
  SelectionAnswer,
} from './from_selection/types'
export type * from './capture/report_types'
export type * from './report/graph_view'
export type * from './report/outline_view'
export type * from './report/pass_types'
export type {
  DrawnExpression,
  ExplainedExpression,
  ExplainedStage,
  ExpressionFinding,
} from '../explain/expressions/types'
export type { PythonTest } from '../python/types'
export type * from './report/types'
export type {
  Attempt,
  Cause,
  EnvironmentAnswer,
  Exported,
  ExplainedPattern,
  ExportKind,
  FileOutcome,
  Fix,
  FixesFound,
  Lint,
  LintKind,
  Message,
  MessagePart,
  Mismatch,
  Problem,
  PythonFailure,
  QuickFix,
  Reason,
  SchemaChoice,
  SourceRef,
  Stub,
  StubDecision,
  TextEdit,
  Violation,
  ViolationKind,
}

export type EngineRequest =
  /** `held`: the key of the workspace's graph if the page has its view. */
  | { id: number; kind: 'analyze'; workspace: Workspace; held?: string }
  /** Reads the graph only; needs no Python. */
  | { id: number; kind: 'read'; workspace: Workspace }
  /** The view of another graph's text; needs no Python and leaves the last analysis as it is. */
  | { id: number; kind: 'view'; text: string }
  /** Print the graph in another form. A number: the graph after that stage of the last analysis. */
  | { id: number; kind: 'print'; workspace: Workspace; as: 'fx' | 'readable'; which: 'before' | 'after' | number }
  /** The two programs to run for a match: see src/gpu/types.ts. */
  | { id: number; kind: 'program'; pass: string; match: number }
  /** The two sides of a registration over inputs of these shapes, by argument name. */
  | { id: number; kind: 'variantProgram'; pass: string; entry: number; shapes: Record<string, number[]> }
  /** The two programs of the whole graph, before and after the passes of the last analysis. */
  | { id: number; kind: 'graphProgram' }
  | { id: number; kind: 'lower' }
  /** Operators and names of the thin torch, for the editor; waits for Python. */
  | { id: number; kind: 'language' }
  /** A pattern for nodes of the workspace's graph. */
  | { id: number; kind: 'pattern'; workspace: Workspace; nodes: readonly string[]; options: PatternOptions }
  /** Counts of the workspace's passes on its shown graph, without a report; waits for Python. */
  | { id: number; kind: 'counts'; workspace: Workspace }
  /** Another graph of the last analysis's workspace against the shown one; `role` of the other graph. */
  | { id: number; kind: 'compare'; other: string; role: 'old' | 'new' }
  /** The workspace of the last analysis as text for a real PyTorch. */
  | { id: number; kind: 'export'; as: ExportKind }
  /** The graph after a stage of the last analysis; 0: the original graph. */
  | { id: number; kind: 'stage'; at: number }
  /** One pattern at one node of the last analysis. */
  | { id: number; kind: 'pin'; pass: string; entry: number; node: string }
  /** One pattern of the last analysis, expression by expression; runs no Python. */
  | { id: number; kind: 'explainPattern'; pass: string; entry: number }
  /** The match as a timeline: one entry at one anchor, or (entry null) all entries there. */
  | { id: number; kind: 'steps'; pass: string; entry: number | null; node: string }

export type EngineEvent =
  | { id: number; kind: 'progress'; stage: 'python' | 'read' | 'run' | 'apply'; text: string; fraction: number | null }
  | { id: number; kind: 'graph'; graph: GraphView }
  /**
   * The report without the explanation. `shapes` (of a graph without shapes), `explained`, then (of several graphs) one
   * `column` each, then `fixes` follow for the same id.
   */
  | { id: number; kind: 'report'; report: Report }
  /** The report's shapes, with guesses. */
  | { id: number; kind: 'shapes'; shapes: import('./shapes/types').GraphShapes }
  | { id: number; kind: 'explained'; passes: PassExplained[] }
  | { id: number; kind: 'column'; column: GraphColumn }
  /**
   * Fixes as they are found. The last event has `done` and may contain no fixes. `cut`, with `done`: the time limit was
   * reached before every cause was tried.
   */
  | { id: number; kind: 'fixes'; found: FixesFound[]; done: boolean; cut?: boolean }
  | { id: number; kind: 'view'; view: GraphView }
  | { id: number; kind: 'text'; text: string }
  | { id: number; kind: 'exported'; exported: Exported }
  | { id: number; kind: 'language'; facts: LanguageFacts }
  | { id: number; kind: 'pattern'; answer: SelectionAnswer }
  | { id: number; kind: 'counts'; counts: FolderCounts }
  | { id: number; kind: 'compared'; report: CompareReport }
  | { id: number; kind: 'program'; program: import('../gpu/types').RunPrograms }
  | { id: number; kind: 'pin'; answer: PinAnswer }
  | { id: number; kind: 'stage'; stage: StageView }
  | { id: number; kind: 'explainedPattern'; pattern: ExplainedPattern }
  | { id: number; kind: 'steps'; timeline: import('./session/steps_types').Timeline }
  | { id: number; kind: 'failed'; message: string }
  /** Python is loaded and the torch package imported. */
  | { id: 0; kind: 'ready'; ms: number }
