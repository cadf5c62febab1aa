/** The stages of a run that are code on the graph: their edits, and the changes that a search for fixes tries. */
import type { FixStage } from '../../explain/fixes/code_on_graph/types'
import type { StageToFix } from '../../explain/fixes/code_on_graph/search'
import type { Graph } from '../../fx'
import { keptFrom } from '../pipeline/condition_text'
import { nameOf } from '../pipeline/plan'
import type { PipelineRun } from '../pipeline/run'
import { codeEdits, type CodeEdits } from '../programs/code_edits'
import type { OperatorBodies } from '../programs/operator_bodies'
import type { Run } from './run'

export interface EditedStage {
  name: string
  /** See PipelineStage.at. */
  at: number
  /** Its edits, as matches without a pattern. */
  rewrite: CodeEdits
}

/**
 * The edits that stages made by code alone; their replacements by patterns are in the passes.
 * @param source the graph before the first stage
 */
export function* editedStages(
  { stages, passes }: PipelineRun,
  source: Graph,
  bodies: OperatorBodies | null,
): Generator<EditedStage> {
  for (const [i, { stage, after, copies, pass, searches = [], applied = [] }] of stages.entries()) {
    const byPatterns = [...searches, ...applied].some((at) => passes[at]!.count > 0)
    if (!('defined' in stage) || pass !== null || byPatterns) continue
    const before = stages[i - 1]?.after ?? source
    yield { name: nameOf(stage), at: i + 1, rewrite: codeEdits({ before, after, copies }, bodies) }
  }
}

export interface EditedFixStage extends FixStage {
  rewrite: CodeEdits
}

/** For a run in full detail. */
export const fixStages = ({ pipeline, graph }: Run, bodies: OperatorBodies): EditedFixStage[] =>
  [...editedStages(pipeline, graph, bodies)].map(({ name, at, rewrite }) => {
    const { error = null, broken = [], conditions = [] } = pipeline.stages[at - 1]!.did ?? {}
    return { name, error, broken: broken.length, edited: rewrite.matches.length, conditions, rewrite }
  })

/** The stages whose edits a condition prevented. */
export const stagesToFix = ({ pipeline }: Run): StageToFix[] =>
  pipeline.stages.flatMap(({ stage, did }, i) =>
    did?.conditions && !did.edits && did.error === null && keptFrom({ did }).length > 0
      ? [{ name: nameOf(stage), at: i + 1, conditions: did.conditions }]
      : [],
  )
