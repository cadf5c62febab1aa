/** The pipeline as it was: each pass that acted, each that did not and why, and what Fusescope does at the end. */
import type { PatternRegistry } from '../matcher'
import type { PythonRun, SyntaxData } from '../python/types'
import type { TextFile, Workspace } from '../workspace/types'
import type { AppliedPass } from './passes'
import { guardsOf } from './pipeline_guards'
import { passUuid, pipelineUuid } from './pipeline_hash'
import type { Pipeline, PipelineStage, StageGuard, StageOff } from './pipeline_types'
import type { Stages } from './stages'

export interface PipelineSource {
  workspace: Workspace
  /** What Python runs. */
  files: readonly TextFile[]
  run: Pick<PythonRun, 'passes' | 'asked'>
  /** In the order they were applied. */
  applied: readonly AppliedPass[]
  stages: Stages
  registry: Pick<PatternRegistry, 'pass'>
  syntaxOf(text: string): SyntaxData | null
}

export function pipelineOf(source: PipelineSource): Pipeline {
  const { workspace, files, run, applied, stages } = source
  const guards = (name: string, nameOnly = false): StageGuard[] =>
    guardsOf(name, run.asked, files, source.syntaxOf, nameOnly)
  const acting = applied.map(({ report }, i): PipelineStage => {
    const off: StageOff | null =
      report.entries.length === 0 ? { why: 'no-patterns', guards: guards(report.name) } : null
    const uuid = passUuid(report.name, report.entries, files, workspace.environment)
    const entries = report.entries.length
    return { kind: 'pass', name: report.name, at: i + 1, pass: i, off, entries, ...stages.counts(i + 1), uuid }
  })
  const end = applied.length + 1
  const sweep: PipelineStage = {
    kind: 'dead-code',
    name: 'eliminate_dead_code',
    at: end,
    pass: null,
    off: null,
    entries: 0,
    ...stages.counts(end),
    uuid: null,
  }
  const asleep = run.passes
    .filter((p) => !applied.some((a) => a.passId === p.passId))
    .map((p) => idle(p.variable, { why: 'not-listed', guards: [] }, source.registry.pass(p.passId).entries.length))
  const defined = run.passes.map((p) => p.variable)
  const missing = [...new Set(workspace.passes)]
    .filter((name) => !defined.includes(name))
    .map((name) => idle(name, { why: 'not-defined', guards: guards(name, true) }, 0))
  const uuids = acting.flatMap((s) => (s.uuid ? [s.uuid.uuid] : []))
  return {
    stages: [...placed([...acting], asleep, defined), ...missing, sweep],
    defined,
    uuid: pipelineUuid(uuids, workspace.environment),
  }
}

function idle(name: string, off: StageOff, entries: number): PipelineStage {
  return { kind: 'pass', name, at: null, pass: null, off, entries, nodes: null, added: 0, removed: 0, uuid: null }
}

/** Passes that are off stand behind the pass they are defined after. */
function placed(
  acting: PipelineStage[],
  asleep: readonly PipelineStage[],
  defined: readonly string[],
): PipelineStage[] {
  const stages = acting
  for (const stage of asleep) {
    const before = defined.slice(0, defined.indexOf(stage.name))
    const after = before.findLast((name) => stages.some((s) => s.name === name))
    const at = after === undefined ? -1 : stages.findLastIndex((s) => s.name === after)
    stages.splice(at + 1, 0, stage)
  }
  return stages
}
