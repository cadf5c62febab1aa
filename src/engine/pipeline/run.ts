/**
 * The single driver of the passes: runs a plan on a copy of the graph, stage by stage. The page, every command of the
 * terminal, the graph columns and the trials of fixes run their passes here.
 */
import { clone, type Graph } from '../../fx'
import { PythonError } from '../../matcher'
import type { FoundStage } from '../../python/types'
import { TorchError } from '../../trace/types'
import { PassRefusal } from '../post_grad/types'
import { applyPass, type PassRun } from './apply_pass'
import type { BuiltIn } from './built_in'
import type { PipelineContext, StageRun } from './context'
import { callOnGraph } from './graph_call'
import type { PipelinePlan, PlannedStage } from './plan'
import type { GraphCopy } from './stage_graphs'
import type { StageEffects } from './types'
import { callUserCode, isUserCalled } from './user_call'

export interface PipelineRun {
  plan: PipelinePlan
  stages: StageRun[]
  /** Each application of a pattern pass, in order; user code may apply one pass several times. */
  passes: PassRun[]
  /** The graph after the last stage, before dead-code elimination; the source graph itself if no stage ran. */
  graph: Graph
  /** Total duration of the stages. */
  ms: number
}

/** Yields after each stage. @param source not modified */
export function* runStages(source: Graph, plan: PipelinePlan, context: PipelineContext): Generator<void, PipelineRun> {
  const run: PipelineRun = { plan, stages: [], passes: [], graph: source, ms: 0 }
  for (const group of groupByCallable(plan.acting)) {
    runGroup(run, group, context)
    yield
  }
  return run
}

/** @param group one stage, or several stages that one call of user code applies */
function runGroup(run: PipelineRun, group: readonly PlannedStage[], context: PipelineContext): void {
  const stage = group[0]!
  const found = definedStage(stage)
  if (found && isUserCalled(found)) {
    const stages = group.map(definedStage).filter((s) => s !== null && isUserCalled(s))
    const [off, own] = [unlisted(found, stages, run.plan), ownPasses(run.plan)]
    for (const called of callUserCode(run.graph, stages, off, own, context)) addStage(run, called.stage, called)
    return
  }
  if (found && found.passId === null) {
    const { searches, applied, ...called } = callOnGraph(run.graph, found, ownPasses(run.plan), context)
    addStage(run, stage, { applied: null, ...called })
    const record = run.stages.at(-1)!
    if (applied.length > 0) record.applied = applied.map((pass) => addPass(run, pass))
    if (searches.length > 0) record.searches = searches.map((search) => addPass(run, search))
    return
  }
  const { graph: after, map: copies } = clone(run.graph)
  if (found && found.passId !== null) {
    const pass = { variable: found.variable, passId: found.passId }
    const applied = applyPass(pass, { before: run.graph, after, copies }, context)
    addStage(run, stage, { applied, did: null, after, copies })
  } else if ('builtIn' in stage)
    addStage(run, stage, { applied: null, did: runBuiltIn(stage.builtIn, after, context), after, copies })
}

function addStage(
  run: PipelineRun,
  stage: PlannedStage,
  { applied, did, after, copies }: GraphCopy & { applied: Omit<PassRun, 'key'> | null; did: StageEffects | null },
): void {
  run.stages.push({ stage, after, copies, did, pass: applied && addPass(run, applied) })
  run.ms += applied?.applyMs ?? did?.ms ?? 0
  run.graph = after
}

/** Returns its index. */
function addPass(run: PipelineRun, applied: Omit<PassRun, 'key'>): number {
  const { name } = applied.toExplain
  const times = run.passes.filter((p) => p.toExplain.name === name).length
  return run.passes.push({ ...applied, key: times === 0 ? name : `${name}#${times + 1}` }) - 1
}

const definedStage = (stage: PlannedStage | undefined): FoundStage | null =>
  stage && 'defined' in stage ? stage.defined : null

/** Adjacent stages that one call of user code applies form one group; every other stage is its own group. */
function groupByCallable(stages: readonly PlannedStage[]): PlannedStage[][] {
  const groups: PlannedStage[][] = []
  const calledStage = (stage: PlannedStage | undefined) => {
    const found = definedStage(stage)
    return found && isUserCalled(found) ? found : null
  }
  for (const stage of stages) {
    const called = calledStage(stage)
    const group = groups.at(-1)
    const together = called !== null && calledStage(group?.[0])?.callable === called.callable
    if (together && !group!.some((other) => calledStage(other)?.passId === called.passId)) group!.push(stage)
    else groups.push([stage])
  }
  return groups
}

/** Names of the passes that are stages themselves, by their ids. */
const ownPasses = ({ acting }: PipelinePlan): Map<number, string> =>
  new Map(
    acting.flatMap((stage) => {
      const found = definedStage(stage)
      return found && found.passId !== null ? [[found.passId, found.variable]] : []
    }),
  )

/** Ids of inactive passes that the same user code applies. */
const unlisted = (found: FoundStage, stages: readonly FoundStage[], { defined }: PipelinePlan): Set<number> =>
  new Set(defined.flatMap((s) => (s.callable === found.callable && !stages.includes(s) ? [s.passId!] : [])))

/** Runs one of Inductor's own passes. An exception ends the stage, not the pipeline. */
function runBuiltIn(pass: BuiltIn, graph: Graph, context: PipelineContext): StageEffects {
  const started = performance.now()
  const effects = (count: number | null, notes: string[], error: string | null): StageEffects => ({
    count,
    notes,
    error,
    ms: performance.now() - started,
  })
  try {
    const { count, notes } = pass.run!(graph, context)
    return effects(count, notes, null)
  } catch (e) {
    if (e instanceof PythonError || e instanceof TorchError) return effects(null, [], `${e.pythonType}: ${e.message}`)
    if (e instanceof PassRefusal) return effects(null, [], e.message)
    throw e
  }
}
