/** `fusescope passes`: the pipeline with the effect, the reason for inactivity and the uuid of each stage. */
import type { PassReport, Report } from '../engine/protocol'
import type { PipelineStage } from '../engine/pipeline/types'
import { formatProblem } from '../fx'
import type { Workspace } from '../workspace/types'
import type { Command } from './args'
import { calledFiles, startSession } from './calls'
import { noSuchPass, pythonLine, readInputs, readWorkspaceWithGraph, workspaceOf } from './inputs'
import { guardText } from '../engine/switches/reason_text'
import { bad, named, show, writeJson } from './output'
import { DONE } from './status'

export async function passesCommand(command: Extract<Command, { kind: 'passes' }>): Promise<number> {
  const inputs = readInputs(command)
  if (!inputs.ok) return bad(formatProblem(inputs.error))
  return listPasses(workspaceOf(command, inputs.value), command, command.json)
}

/** Prints the pipeline of a saved workspace. */
export async function passesOfCommand(command: Extract<Command, { kind: 'passes-of' }>): Promise<number> {
  const workspace = readWorkspaceWithGraph(command.workspace)
  if (!workspace.ok) return bad(formatProblem(workspace.error))
  const { value } = workspace
  return listPasses(value, { patterns: value.files.map((f) => f.name), calls: [] }, command.json)
}

/** @param patterns the files that define the passes, for messages */
async function listPasses(
  workspace: Workspace,
  { patterns, calls }: { patterns: readonly string[]; calls: readonly string[] },
  json: boolean,
): Promise<number> {
  const session = await startSession()
  const files = calledFiles(session, workspace, calls)
  const { report } = session.analyze({ ...workspace, files })
  if (report.python || !report.pipeline)
    return bad(
      report.python
        ? pythonLine(report.python, workspace.files, report.causes)
        : `${workspace.graph.name}: the passes could not be applied.`,
    )
  const { stages, uuid } = report.pipeline
  if (json) writeJson({ uuid, stages: stages.map((s) => stageJson(report, s)) })
  else show(1, [...stages.flatMap((s) => stageLines(report, s)), `compile cache: ${uuid}`])
  const missing = stages.find((s) => s.off?.why === 'not-defined')
  if (!missing) return DONE
  return bad(noSuchPass({ patterns }, missing.name))
}

function stageJson(report: Report, s: PipelineStage): object {
  const pass = s.pass === null ? null : report.passes[s.pass]!
  return {
    stage: s.name,
    at: s.at,
    off: s.off?.why ?? null,
    guards: s.off?.guards ?? [],
    entries: s.entries,
    kind: s.kind,
    hook: s.hook ?? null,
    of: s.of ?? null,
    manager: s.manager ?? null,
    count: pass?.count ?? s.did?.count ?? null,
    attempts: pass?.attempts.length ?? null,
    apply_error: pass?.applyError ?? s.did?.error ?? null,
    apply_ms: pass?.applyMs ?? s.did?.ms ?? null,
    notes: s.did?.notes ?? [],
    broken: violationsOf(s, pass),
    nodes: s.nodes,
    added: s.added,
    removed: s.removed,
    uuid: s.uuid?.uuid ?? null,
    parts: s.uuid?.parts ?? [],
  }
}

/** Violations of the stage, one sentence each. */
const violationsOf = (s: PipelineStage, pass: PassReport | null): string[] =>
  s.did?.broken ?? pass?.violations?.map((v) => v.sentence) ?? []

function stageLines(report: Report, s: PipelineStage): string[] {
  const pass = s.pass === null ? null : report.passes[s.pass]!
  const change = `+${s.added} -${s.removed} nodes, ${s.nodes} after`
  const head = s.at === null ? `-  ${named(s.name)}: off (${s.off!.why})` : `${s.at}  ${named(s.name)}: ${change}`
  const lines = [head]
  const place = [s.hook, s.manager && `listed by ${s.manager}`, s.of].filter(Boolean).join(', ')
  if (place || s.what) lines.push(`   ${place || s.what}`)
  if (s.did && s.did.count !== null) lines.push(`   ${s.did.count} nodes, ${s.did.ms.toFixed(1)} ms`)
  for (const note of s.did?.notes ?? []) lines.push(`   ${note}`)
  for (const sentence of violationsOf(s, pass)) lines.push(`   violation: ${sentence}`)
  if (s.did?.error) lines.push(`   raised ${s.did.error}`)
  if (pass) lines.push(`   ${pass.count} matches, ${s.entries} patterns, ${pass.attempts.length} attempts`)
  if (pass?.applyError) lines.push(`   raised ${pass.applyError}`)
  if (s.off?.why === 'no-patterns') lines.push('   no registered patterns')
  for (const g of s.off?.guards ?? []) lines.push(`   ${guardText(g)}`)
  if (s.uuid) lines.push(`   uuid ${s.uuid.uuid}`)
  return lines
}
