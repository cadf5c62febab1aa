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
import type { Exported, ExportKind } from './export/types'
import type { Violation, ViolationKind } from './invariants/types'
import type { GraphView } from './report/graph_view'
import type { GraphColumn, PassExplained, Report } from './report/types'

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
  /**
   * `held`: the key of the workspace's graph if the page has its view. `again`: only serves calls on a report that the page has, so
   * nothing is explained.
   */
  | { id: number; kind: 'analyze'; workspace: Workspace; held?: string; again?: true }
  /** Reads the graph only; needs no Python. */
  | { id: number; kind: 'read'; workspace: Workspace }

export type EngineEvent =
  | { id: number; kind: 'progress'; stage: 'python' | 'read' | 'run' | 'apply'; text: string; fraction: number | null }
  | { id: number; kind: 'graph'; graph: GraphView }
  /**
   * The report without the explanation. `off`, `shapes` (of a graph without shapes), `explained`, then (of several graphs) one
   * `column` each, then `fixes` follow for the same id.
   */
  | { id: number; kind: 'report'; report: Report }
  /** The report's shapes, with guesses. */
  | { id: number; kind: 'shapes'; shapes: import('./shapes/types').GraphShapes }
  /** The list of what the environment turned off. */
  | { id: number; kind: 'off'; off: import('./switches/types').SwitchedOff[] }
  | { id: number; kind: 'explained'; passes: PassExplained[] }
  | { id: number; kind: 'column'; column: GraphColumn }
  /**
   * Fixes as they are found. The last event has `done` and may contain no fixes. `cut`, with `done`: the time limit was
   * reached before every cause was tried.
   */
  | { id: number; kind: 'fixes'; found: FixesFound[]; done: boolean; cut?: boolean }
  | { id: number; kind: 'failed'; message: string }
  /** Python is loaded and the torch package imported. */
  | { id: 0; kind: 'ready'; ms: number }
