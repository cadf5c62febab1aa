/** What the stages of a pipeline run share, and the record of one stage. */
import type { PatternRegistry, SchemaLookup } from '../../matcher'
import type { PythonHost } from '../../python/types'
import type { Tracer } from '../../trace/types'
import type { PlannedStage } from './plan'
import type { GraphCopy } from './stage_graphs'
import type { StageDid } from './types'

export interface PipelineContext {
  registry: PatternRegistry
  host: Pick<PythonHost, 'callPass'>
  tracer: Tracer
  schemaOf: SchemaLookup
  /** `counts`: matches alone; `attempts`: attempts too; `report`: attempts, and the invariants of each stage. */
  detail: 'counts' | 'attempts' | 'report'
}

/** One stage as it acted. */
export interface StageRun extends GraphCopy {
  stage: PlannedStage
  /** Index into PipelineRun.passes; null for a stage that is no pattern pass. */
  pass: number | null
  /** What a stage that is no pattern pass did, and what user code that applies patterns did besides. */
  did: StageDid | null
}
