/** The shared context of the stages of a pipeline run, and the record of one stage. */
import type { PatternRegistry, SchemaLookup } from '../../matcher'
import type { PythonHost } from '../../python/types'
import type { Tracer } from '../../trace/types'
import type { PlannedStage } from './plan'
import type { GraphCopy } from './stage_graphs'
import type { StageEffects } from './types'

export interface PipelineContext {
  registry: PatternRegistry
  host: Pick<PythonHost, 'callPass' | 'lastCall'>
  tracer: Tracer
  schemaOf: SchemaLookup
  /** `counts`: matches only; `attempts`: matches and attempts; `report`: attempts, and the invariants of each stage. */
  detail: 'counts' | 'attempts' | 'report'
}

/** The record of one stage that ran. */
export interface StageRun extends GraphCopy {
  stage: PlannedStage
  /** Index into PipelineRun.passes; null for a stage that is not a pattern pass. */
  pass: number | null
  /** Indices into PipelineRun.passes: the searches of SubgraphMatcher that its code made. Absent if none. */
  searches?: readonly number[]
  /** Indices into PipelineRun.passes: applications of passes that its code made itself. Absent if none. */
  applied?: readonly number[]
  /** Effects of a stage that is not a pattern pass, or of the user code that applies a pattern pass. */
  did: StageEffects | null
}
