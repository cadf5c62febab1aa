/** Builds the report of an analysis, before the search for near misses and fixes. */
import type { ConsoleLine, PythonTest, Stub } from '../../python/types'
import { reportPipeline, type PipelineSource } from '../pipeline/pipeline_report'
import type { StageGraphs } from '../pipeline/stage_graphs'
import type { GraphView, PassReport, Report } from '../protocol'
import type { CaptureReport } from '../capture/report_types'
import { runFacts } from '../report/run_facts'
import { registrationTree } from '../report/tree'
import type { Run } from '../run/run'
import type { SwitchedOff } from '../switches/types'
import type { ReadGraph } from './graph_cache'

export interface AnalysisSource extends Pick<PipelineSource, 'workspace' | 'entriesIn' | 'syntaxOf'> {
  run: Run
  source: ReadGraph
  /** The list of what the environment turned off; empty: not known yet. */
  off: readonly SwitchedOff[]
  tests: PythonTest[]
  /** From the run and its unit tests. */
  stubs: readonly Stub[]
  /** Output of the run, its unit tests and the tracing of replacements. */
  console: ConsoleLine[]
  /** By PipelineRun.passes. */
  passes: PassReport[]
  /** Null if the files failed. */
  graphs: StageGraphs | null
  after: GraphView | null
  /** Absent for a workspace that does not come from a capture. */
  capture?: CaptureReport
}

/** `timings.totalMs` is left at 0. */
export function reportAnalysis(from: AnalysisSource): Report {
  const { run, source, off, tests, stubs, console, passes, graphs, after, capture, ...rest } = from
  const { pipeline } = run
  const { asked, ms, defines } = run.registrations.python
  return {
    v: 1,
    graph: source.view,
    after,
    passes,
    tree: registrationTree(passes),
    ...(graphs && {
      pipeline: reportPipeline({
        ...rest,
        files: run.files,
        asked,
        ...(defines && { defines }),
        run: pipeline,
        reports: passes,
        graphs,
      }),
    }),
    ...runFacts(run, off),
    problems: source.problems,
    ...(source.shapes && { shapes: source.shapes }),
    ...(tests.length > 0 && { tests }),
    console,
    stubs: [...stubs],
    ...(asked.length > 0 && {
      asked: asked.map(({ question, answer, source: at }) => ({ question, answer, source: at })),
    }),
    ...(capture && { capture }),
    timings: { parseMs: source.ms, pythonMs: ms, applyMs: pipeline.ms, totalMs: 0 },
  }
}
