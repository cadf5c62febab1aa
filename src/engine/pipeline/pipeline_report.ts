/** Reports a pipeline run: active stages, inactive stages with their reasons, and dead-code elimination at the end. */
import type { FoundStage, PythonRun, SyntaxData } from '../../python/types'
import type { TextFile, Workspace } from '../../workspace/types'
import type { BuiltIn } from './built_in'
import { passUuid, pipelineUuid } from './cache_key'
import { guardsOfUnmade } from '../switches/skipped'
import { guardsOf } from './guards'
import type { InactiveStage, PlannedStage } from './plan'
import type { StageRun } from './context'
import type { PipelineRun } from './run'
import type { StageGraphs } from './stage_graphs'
import type { Pipeline, PipelineStage, StageGuard, StageOff } from './types'
import type { EntryReport, PassReport } from '../protocol'

export interface PipelineSource {
  workspace: Workspace
  /** The files that Python runs. */
  files: readonly TextFile[]
  asked: PythonRun['asked']
  defines?: PythonRun['defines']
  run: Pick<PipelineRun, 'plan' | 'stages'>
  /** By PipelineRun.passes. */
  reports: readonly PassReport[]
  graphs: StageGraphs
  /** Number of patterns registered in a pass. */
  entriesIn(passId: number): number
  syntaxOf(text: string): SyntaxData | null
}

export function reportPipeline(source: PipelineSource): Pipeline {
  const { workspace, run, graphs } = source
  const { plan } = run
  const bare = stagesOf(run)
  const acting = run.stages.map((stage, i) => actingStage(bare.acting[i]!, stage, source))
  const end = run.stages.length + 1
  const deadCode: PipelineStage = {
    ...emptyStage('dead-code', 'eliminate_dead_code', null),
    at: end,
    ...graphs.counts(end),
  }
  const unmade = guardsOfUnmade(source.asked, source.files, source.syntaxOf)
  const inactive = plan.inactive.map((stage, i) => inactiveStage(bare.inactive[i]!, stage, source, unmade))
  const missing = inactive.filter((s) => s.off?.why === 'not-defined')
  const known = inactive.filter((s) => s.off?.why !== 'not-defined')
  return {
    stages: [...placed(acting, known, plan.names), ...missing, deadCode],
    defined: plan.defined.filter((s) => s.path === null && !s.unmade && !s.proposed).map((s) => s.variable),
    uuid: pipelineUuid(acting, workspace.environment),
    ...(source.defines && { defines: source.defines }),
  }
}

/** The stages of a run: those that ran, in order, and the others. Without graphs, keys and guards in the source. */
export const stagesOf = ({ plan, stages }: Pick<PipelineRun, 'plan' | 'stages'>) => ({
  acting: stages.map(({ stage, pass, did, searches, applied }, i): PipelineStage => ({
    ...plannedStage(stage, null),
    ...{ pass, at: i + 1 },
    ...(did && { did }),
    ...(searches && { searches }),
    ...(applied && { applied }),
  })),
  inactive: plan.inactive.map(({ name, why, stage, decidedBy }): PipelineStage => {
    const off: StageOff = { why, guards: decidedBy ? [decidedBy] : [] }
    if (stage === null) return emptyStage('pass', name, off)
    const lacks = 'defined' in stage ? stage.defined.why : undefined
    return { ...plannedStage(stage, off), ...(lacks !== undefined && { note: lacks }) }
  }),
})

function actingStage(bare: PipelineStage, { stage, pass }: StageRun, source: PipelineSource): PipelineStage {
  const counts = source.graphs.counts(bare.at!)
  if ('builtIn' in stage) return { ...bare, ...counts }
  const entries = pass === null ? [] : source.reports[pass]!.entries
  const off: StageOff | null =
    pass !== null && entries.length === 0 ? { why: 'no-patterns', guards: guards(source, bare.name) } : null
  return { ...bare, ...counts, off, entries: entries.length, uuid: uuidOf(stage.defined, entries, source) }
}

function inactiveStage(
  bare: PipelineStage,
  { name, why, stage }: InactiveStage,
  source: PipelineSource,
  unmade: (name: string) => StageGuard[],
): PipelineStage {
  if (stage === null) return { ...bare, off: { why, guards: guards(source, name, true) } }
  if ('builtIn' in stage) return bare
  const { defined } = stage
  if (why !== 'not-made') return { ...bare, entries: defined.passId === null ? 0 : source.entriesIn(defined.passId) }
  return defined.why === undefined ? { ...bare, off: { why, guards: unmade(defined.of!) } } : bare
}

const plannedStage = (stage: PlannedStage, off: StageOff | null): PipelineStage =>
  'builtIn' in stage ? builtInStage(stage.builtIn, off) : definedStage(stage.defined, off)

function definedStage(found: FoundStage, off: StageOff | null): PipelineStage {
  return {
    ...emptyStage(found.passId === null ? 'call' : 'pass', found.variable, off),
    ...(found.hook !== null && { hook: found.hook }),
    ...(found.of !== null && { of: found.of }),
    ...(found.manager !== null && { manager: found.manager }),
    ...(found.note !== undefined && { note: found.note }),
    ...(found.place && { place: found.place }),
  }
}

const builtInStage = ({ name, what }: BuiltIn, off: StageOff | null): PipelineStage => ({
  ...emptyStage('built-in', name, off),
  what,
})

const emptyStage = (kind: PipelineStage['kind'], name: string, off: StageOff | null): PipelineStage => ({
  kind,
  name,
  at: null,
  pass: null,
  off,
  entries: 0,
  nodes: null,
  added: 0,
  removed: 0,
  uuid: null,
})

const guards = ({ asked, files, syntaxOf }: PipelineSource, name: string, nameOnly = false): StageGuard[] =>
  guardsOf(name, asked, files, syntaxOf, nameOnly)

const uuidOf = (found: FoundStage, entries: readonly EntryReport[], { files, workspace }: PipelineSource) =>
  passUuid(found, entries, files, workspace.environment)

/** Inserts each inactive stage after its nearest predecessor in compilation order. */
function placed(
  acting: readonly PipelineStage[],
  inactive: readonly PipelineStage[],
  names: readonly string[],
): PipelineStage[] {
  const stages = [...acting]
  for (const stage of inactive) {
    const before = names.slice(0, names.indexOf(stage.name))
    const after = before.findLast((name) => stages.some((s) => s.name === name))
    const at = after === undefined ? -1 : stages.findLastIndex((s) => s.name === after)
    stages.splice(at + 1, 0, stage)
  }
  return stages
}
