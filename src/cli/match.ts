/** `fusescope match --graph …`: one graph and its patterns. */
import { CaseRunner } from '../engine/cases/cases'
import type { StageOff } from '../engine/pipeline/types'
import type { FileOutcome, Report } from '../engine/protocol'
import { outcomeText } from '../engine/report/file_outcomes'
import { createSession } from '../engine/session/session'
import { formatProblem } from '../fx'
import { nodeAssets } from '../python/node_assets'
import type { Command } from './args'
import { filesWithCalls } from './calls'
import { caseInput } from './case_input'
import { noSuchPass, pythonLine, readInputs, workspaceOf, type Inputs } from './inputs'
import { complain, show, showConsole, writeJson } from './output'
import { BAD_INPUT, DONE, UNMET } from './status'
import { summaryLines } from './summary'

type MatchCommand = Extract<Command, { kind: 'match' }>

export async function matchCommand(command: MatchCommand): Promise<number> {
  const inputs = readInputs(command)
  if (!inputs.ok) {
    complain(formatProblem(inputs.error))
    return BAD_INPUT
  }
  return command.json ? matchJson(command, inputs.value) : matchText(command, inputs.value)
}

async function matchJson(command: MatchCommand, inputs: Inputs): Promise<number> {
  const runner = await CaseRunner.create(nodeAssets())
  const output = runner.run(caseInput(runner, command, inputs))
  writeJson(output)
  if (runner.failure) {
    complain(pythonLine(runner.failure, inputs.files, runner.causes))
    return BAD_INPUT
  }
  complainOfFiles(runner.files)
  return exitStatus(command, {
    stages: output.stages.map(({ stage, off, apply_error }) => ({ name: stage, off, error: apply_error })),
    count: output.passes.reduce((sum, p) => sum + (p.count ?? 0), 0),
  })
}

async function matchText(command: MatchCommand, inputs: Inputs): Promise<number> {
  const session = createSession(nodeAssets())
  await session.ready
  const workspace = workspaceOf(command, inputs)
  const files = filesWithCalls(
    inputs.files,
    command.calls,
    (f) => session.analyze({ ...workspace, files: [...f] }).report.files,
  )
  const { report } = session.analyzeWhole({ ...workspace, files })
  for (const { text } of report.console) showConsole(text)
  if (report.python) {
    complain(pythonLine(report.python, inputs.files, report.causes))
    return BAD_INPUT
  }
  complainOfFiles(report.files ?? [])
  show(1, summaryLines(report))
  return exitStatus(command, {
    stages: stagesOf(report),
    count: report.passes.reduce((sum, p) => sum + p.count, 0),
  })
}

/** Files that failed beside others that ran, and functions that would register patterns, one per line on stderr. */
function complainOfFiles(files: readonly FileOutcome[]): void {
  for (const f of files) {
    if (f.failure || f.stoppedBy !== null) complain(`${f.file}: ${outcomeText(f)}`)
    for (const name of f.uncalled)
      complain(`${f.file}: ${name}() registers patterns and is not called; --call ${f.module}.${name} calls it.`)
  }
}

interface Outcome {
  stages: { name: string; off: StageOff['why'] | null; error: string | null }[]
  /** Matches of all passes. */
  count: number
}

const stagesOf = ({ passes, pipeline }: Report): Outcome['stages'] =>
  (pipeline?.stages ?? [])
    .filter((s) => s.kind !== 'dead-code')
    .map(({ name, off, pass, did }) => ({
      name,
      // A pass without patterns runs and replaces nothing.
      off: off === null || off.why === 'no-patterns' ? null : off.why,
      error: (pass === null ? null : passes[pass]!.applyError) ?? did?.error ?? null,
    }))

/** The exit status of an outcome. Prints the one line that explains it. */
function exitStatus(command: MatchCommand, { stages, count }: Outcome): number {
  const where = command.patterns.join(', ')
  const missing = stages.find((s) => s.off === 'not-defined')
  if (missing) {
    complain(noSuchPass(command, missing.name))
    return BAD_INPUT
  }
  const refused = stages.filter(({ name, off }) => off === 'not-applicable' || (off && command.passes.includes(name)))
  for (const { name, off } of refused) complain(`${where}: the pass ${name} is off (${off}).`)
  if (stages.every((s) => s.off !== null)) {
    if (refused.length === 0)
      complain(`${where}:1:1: no pass was found; expected a module-level variable that holds a PatternMatcherPass.`)
    return BAD_INPUT
  }
  const error = stages.find((s) => s.error !== null)?.error ?? null
  if (error !== null) complain(`${where}: applying the passes raised ${error}`)
  if (command.expect === null || (error === null && count === command.expect)) return DONE
  complain(`expected ${command.expect} ${command.expect === 1 ? 'match' : 'matches'}, found ${count}.`)
  return UNMET
}
