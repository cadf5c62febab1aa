/** The pipeline as it was: each stage that acted, each that did not and why, and what Fusescope does at the end. */
import type { PatternRegistry } from '../../matcher'
import type { FoundStage, PythonRun, SyntaxData } from '../../python/types'
import type { TextFile, Workspace } from '../../workspace/types'
import { AROUND, builtIn, type BuiltIn } from './built_in'
import type { LineResult, LineStep } from './line'
import { guardsOf } from './guards'
import { passUuid, pipelineUuid } from './cache_key'
import type { Pipeline, PipelineStage, StageGuard, StageOff } from './types'
import type { EntryReport } from '../protocol'
import type { Stages } from './stages'

export interface PipelineSource {
  workspace: Workspace
  /** What Python runs. */
  files: readonly TextFile[]
  run: Pick<PythonRun, 'line' | 'asked'>
  /** What acted, in order. */
  result: Pick<LineResult, 'applied' | 'steps'>
  stages: Stages
  registry: Pick<PatternRegistry, 'pass'>
  syntaxOf(text: string): SyntaxData | null
}

export function pipelineOf(source: PipelineSource): Pipeline {
  const { workspace, run, result, stages } = source
  const acting = result.steps.map((step, i) => actingStage(step, i + 1, source))
  const end = result.steps.length + 1
  const sweep: PipelineStage = {
    ...nothing('dead-code', 'eliminate_dead_code', null),
    at: end,
    ...stages.counts(end),
  }
  const natural = naturalOrder(run.line)
  const asleep = natural.filter((name) => !acting.some((s) => s.name === name)).map((name) => asleepStage(name, source))
  const missing = [...new Set(workspace.passes)]
    .filter((name) => !natural.includes(name))
    .map((name) => idle(name, 'not-defined', guards(source, name, true)))
  return {
    stages: [...placed(acting, asleep, natural), ...missing, sweep],
    defined: run.line.filter((s) => s.path === null && !s.unmade).map((s) => s.variable),
    uuid: pipelineUuid(
      acting.map((s) => s.uuid?.uuid ?? s.name),
      workspace.environment,
    ),
  }
}

function actingStage({ item, pass, did }: LineStep, at: number, source: PipelineSource): PipelineStage {
  const counts = { at, ...source.stages.counts(at), ...(did && { did }) }
  if ('builtIn' in item) return { ...ofBuiltIn(item.builtIn, null), ...counts }
  const entries = pass === null ? [] : source.result.applied[pass]!.report.entries
  const name = item.found.variable
  const off: StageOff | null =
    pass !== null && entries.length === 0 ? { why: 'no-patterns', guards: guards(source, name) } : null
  return { ...ofFound(item.found, off, entries.length), pass, uuid: uuidOf(item.found, entries, source), ...counts }
}

function asleepStage(name: string, source: PipelineSource): PipelineStage {
  const { workspace, run, registry } = source
  const own = builtIn(name)
  if (own) return ofBuiltIn(own, { why: own.run ? 'not-listed' : 'not-run-here', guards: [] })
  const found = run.line.find((s) => s.variable === name)!
  const entries = found.passId === null ? 0 : registry.pass(found.passId).entries.length
  if (found.unmade) return ofFound(found, { why: 'not-made', guards: guards(source, found.of!, true) }, 0)
  const off = (why: StageOff['why'], guard: StageGuard | null): StageOff => ({ why, guards: guard ? [guard] : [] })
  if (workspace.passes?.includes(name) === false) return ofFound(found, off('not-listed', null), entries)
  if (found.refused) return ofFound(found, off('not-applicable', found.refused), entries)
  return ofFound(found, off('other-path', found.path), entries)
}

function ofFound(found: FoundStage, off: StageOff | null, entries: number): PipelineStage {
  return {
    ...nothing(found.passId === null ? 'call' : 'pass', found.variable, off),
    ...(found.hook !== null && { hook: found.hook }),
    ...(found.of !== null && { of: found.of }),
    ...(found.manager !== null && { manager: found.manager }),
    entries,
  }
}

const ofBuiltIn = ({ name, what }: BuiltIn, off: StageOff | null): PipelineStage => ({
  ...nothing('built-in', name, off),
  what,
})

const idle = (name: string, why: StageOff['why'], asked: StageGuard[]): PipelineStage =>
  nothing('pass', name, { why, guards: asked })

const nothing = (kind: PipelineStage['kind'], name: string, off: StageOff | null): PipelineStage => ({
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

const guards = ({ run, files, syntaxOf }: PipelineSource, name: string, nameOnly = false): StageGuard[] =>
  guardsOf(name, run.asked, files, syntaxOf, nameOnly)

const uuidOf = (found: FoundStage, entries: readonly EntryReport[], { files, workspace }: PipelineSource) =>
  passUuid(found, entries, files, workspace.environment)

/** Names in the order in which a compilation would come to them. */
const naturalOrder = (line: readonly FoundStage[]): string[] =>
  AROUND.flatMap((place) =>
    'name' in place ? [place.name] : line.filter((s) => place.hooks.includes(s.hook)).map((s) => s.variable),
  )

/** What is off stands behind the nearest of those before it in the natural order. */
function placed(
  acting: readonly PipelineStage[],
  asleep: readonly PipelineStage[],
  natural: readonly string[],
): PipelineStage[] {
  const stages = [...acting]
  for (const stage of asleep) {
    const before = natural.slice(0, natural.indexOf(stage.name))
    const after = before.findLast((name) => stages.some((s) => s.name === name))
    const at = after === undefined ? -1 : stages.findLastIndex((s) => s.name === after)
    stages.splice(at + 1, 0, stage)
  }
  return stages
}
