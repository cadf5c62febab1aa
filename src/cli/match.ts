/** `fusescope match --graph …`: one graph and its patterns. */
import { caseOutput, caseRun } from '../engine/cases/cases'
import { caseStages, type CaseStage } from '../engine/cases/case_output'
import { Interpreter } from '../engine/run/interpreter'
import type { FileOutcome } from '../engine/protocol'
import { outcomeText } from '../engine/report/file_outcomes'
import { replacedIn } from '../engine/report/replaced'
import { matchNumbers } from '../engine/numbers/match_numbers'
import { matchNumbersText, printedNumbers, type MatchNumbers } from '../engine/numbers/match_numbers_text'
import { formatProblem } from '../fx'
import { nodeAssets } from '../python/node_assets'
import type { Command } from './args'
import { calledFiles, startSession } from './calls'
import { caseInput } from './case_input'
import { noSuchPass, nothingRan, pythonLine, readInputs, workspaceOf, type Inputs } from './inputs'
import { bad, complain, show, showConsole, writeJson } from './output'
import { BAD_INPUT, DONE, UNMET } from './status'
import { summaryLines } from './summary'

type MatchCommand = Extract<Command, { kind: 'match' }>

export async function matchCommand(command: MatchCommand): Promise<number> {
  const inputs = readInputs(command)
  if (!inputs.ok) return bad(formatProblem(inputs.error))
  return command.json ? matchJson(command, inputs.value) : matchText(command, inputs.value)
}

async function matchJson(command: MatchCommand, inputs: Inputs): Promise<number> {
  const interpreter = await Interpreter.start(nodeAssets())
  const input = caseInput(interpreter, command, inputs)
  const { run, parseMs } = caseRun(interpreter, input, 'report')
  const output = caseOutput(interpreter, input.id, run, parseMs)
  const numbers = command.numbers && !run.failure ? matchNumbers(interpreter, run) : []
  writeJson(command.numbers ? { ...output, numbers: numbers.map(printedNumbers) } : output)
  if (run.failure) return bad(pythonLine(run.failure, inputs.files, run.causes))
  complainOfFiles(run.outcomes)
  return exitStatus(command, {
    stages: output.stages,
    defines: output.defines ?? [],
    // For a pass that raised, its matches until then. Inductor's own passes replace nothing that is expected.
    count: output.stages.reduce((sum, s) => sum + (s.pass === null ? 0 : (s.count ?? 0)), 0),
    numbers,
  })
}

async function matchText(command: MatchCommand, inputs: Inputs): Promise<number> {
  const session = await startSession()
  const workspace = workspaceOf(command, inputs)
  const files = calledFiles(session, workspace, command.calls)
  const { report } = session.analyzeWhole({ ...workspace, files })
  for (const { text } of report.console) showConsole(text)
  if (report.python) return bad(pythonLine(report.python, inputs.files, report.causes))
  complainOfFiles(report.files ?? [])
  const numbers = command.numbers ? matchNumbers(session.interpreter, session.lastRun()) : []
  show(1, summaryLines(report, numbers))
  return exitStatus(command, {
    stages: caseStages({ stages: [], ...report.pipeline, passes: report.passes }, command.passes),
    defines: report.pipeline?.defines ?? [],
    count: replacedIn(report),
    numbers,
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
  stages: CaseStage[]
  /** The definitions in the files, if they have no stage. */
  defines: readonly string[]
  /** Matches of all passes, and places that replace_pattern replaced. */
  count: number
  /** Results of `--numbers`. */
  numbers: readonly MatchNumbers[]
}

/** The exit status of an outcome. Prints the one line that explains it. */
function exitStatus(command: MatchCommand, { stages, defines, count, numbers }: Outcome): number {
  const where = command.patterns.join(', ')
  const missing = stages.find((s) => s.off === 'not-defined')
  if (missing) return bad(noSuchPass(command, missing.stage))
  const refused = stages.filter(({ stage, off }) => off === 'not-applicable' || (off && command.passes.includes(stage)))
  for (const { stage, off } of refused) complain(`${where}: the pass ${stage} is off (${off}).`)
  if (stages.every((s) => s.off !== null)) {
    if (refused.length === 0) complain(nothingRan(command, stages, defines))
    return BAD_INPUT
  }
  for (const { stage, off, note } of stages)
    if (off === 'not-made' && note !== undefined) complain(`${where}: the pass ${stage} did not run. ${note}`)
  const error = stages.find((s) => s.apply_error !== null)?.apply_error ?? null
  if (error !== null) complain(`${where}: applying the passes raised ${error}`)
  for (const n of numbers.filter((m) => m.state === 'differs')) complain(`${where}: ${n.pass}, ${matchNumbersText(n)}`)
  const differ = numbers.some((n) => n.state === 'differs')
  if (command.expect === null || (error === null && count === command.expect)) return differ ? UNMET : DONE
  complain(`expected ${command.expect} ${command.expect === 1 ? 'match' : 'matches'}, found ${count}.`)
  return UNMET
}
