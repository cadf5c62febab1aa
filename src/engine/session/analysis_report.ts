/** Builds the report of an analysis, before the search for near misses and fixes. */
import type { SchemaChoice } from '../../trace/types'
import type { PythonRun, PythonTest } from '../../python/types'
import { reportPipeline, type PipelineSource } from '../pipeline/pipeline_report'
import type { PipelineRun } from '../pipeline/run'
import type { StageGraphs } from '../pipeline/stage_graphs'
import type { Cause, GraphView, PassReport, Report } from '../protocol'
import type { CaptureReport } from '../capture/report_types'
import { notableFiles } from '../report/file_outcomes'
import { registrationTree } from '../report/tree'
import type { GraphShapes } from '../shapes/types'
import type { ReadGraph } from './graph_cache'

export interface AnalysisSource extends Pick<PipelineSource, 'workspace' | 'files' | 'entriesIn' | 'syntaxOf'> {
  source: ReadGraph
  /** For a graph without shapes: its inputs, with guesses. */
  shapes: GraphShapes | null
  /** Includes stubs and console output of the unit tests. */
  python: PythonRun
  /** Causes that prevent all attempts. */
  early: Cause[]
  tests: PythonTest[]
  pipeline: PipelineRun
  /** By PipelineRun.passes. */
  passes: PassReport[]
  /** Null if the files failed. */
  graphs: StageGraphs | null
  after: GraphView | null
  inferredOps: string[]
  schemas: SchemaChoice[]
  /** Absent for a workspace that comes from no capture. */
  capture?: CaptureReport
}

/** `timings.totalMs` is left at 0. */
export function reportAnalysis(from: AnalysisSource): Report {
  const {
    source,
    shapes,
    python,
    early,
    tests,
    pipeline,
    passes,
    graphs,
    after,
    inferredOps,
    schemas,
    capture,
    ...rest
  } = from
  const { asked } = python
  const files = notableFiles(python)
  return {
    v: 1,
    graph: source.view,
    after,
    passes,
    tree: registrationTree(passes),
    ...(graphs && { pipeline: reportPipeline({ ...rest, asked, run: pipeline, reports: passes, graphs }) }),
    python: python.failure,
    causes: early,
    problems: source.problems,
    ...(shapes && { shapes }),
    ...(tests.length > 0 && { tests }),
    ...(files && { files }),
    console: python.console,
    stubs: python.stubs,
    ...(asked.length > 0 && {
      asked: asked.map(({ question, answer, source: at }) => ({ question, answer, source: at })),
    }),
    inferredOps,
    ...(schemas.length > 0 && { schemas }),
    ...(capture && { capture }),
    timings: { parseMs: source.ms, pythonMs: python.ms, applyMs: pipeline.ms, totalMs: 0 },
  }
}
