/** `fusescope explain`: why patterns do not fire, and fixes. */
import { caseExplanation, caseRun, type CaseExplanation } from '../engine/cases/cases'
import { Interpreter } from '../engine/run/interpreter'
import { diagnosesOf } from '../engine/report/diagnoses'
import { listed } from '../base/english'
import type { EntryReport } from '../engine/protocol'
import { isOnly } from '../engine/report/pattern_filter'
import { formatProblem } from '../fx'
import { nodeAssets } from '../python/node_assets'
import type { Command, ExplainOptions } from './args'
import { capturedWorkspace, workspaceOf } from './captures/file'
import { caseInput } from './case_input'
import { runCases } from './cases/case_lines'
import { diagnosesLines } from './explain_text'
import { noSuchPass, nothingRan, pythonLine, readInputs } from './inputs'
import { beginsNothingAfter } from './box/time_limit'
import { bad, complain, show, writeJson } from './output'
import { DONE } from './status'
import { startSession } from './calls'

export async function explainCommand(command: Extract<Command, { kind: 'explain' }>): Promise<number> {
  const until = beginsNothingAfter(command.timeoutS)
  const inputs = readInputs(command)
  if (!inputs.ok) return bad(formatProblem(inputs.error))
  const interpreter = await Interpreter.start(nodeAssets())
  const input = caseInput(interpreter, command, inputs.value)
  const { run } = caseRun(interpreter, input, 'report')
  const { fixes, only } = command
  const explained = caseExplanation(interpreter, run, { fixes, only, until })
  const { causes, passes, stages } = explained
  const proposes = stages.some((s) => s.off === 'proposed') && stages.every((s) => s.off !== null)
  const asked = stages.some((s) => s.off === 'not-defined')
  if (proposes && !asked && !command.json && !run.failure && causes.length + passes.length === 0)
    return bad(nothingRan(command, stages, []))
  printExplained(explained, command)
  const missing = explained.stages.find((s) => s.off === 'not-defined')
  if (run.failure && explained.causes.length === 0) return bad(pythonLine(run.failure, inputs.value.files))
  if (!run.failure && missing !== undefined) return bad(noSuchPass(command, missing.stage))
  return statusOf(explained, only, inputs.value.files)
}

/** Explains the recorded patterns on a graph of a capture, as the page does. */
export async function explainCaptureCommand(command: Extract<Command, { kind: 'explain-capture' }>): Promise<number> {
  const until = beginsNothingAfter(command.timeoutS)
  const { file, sniffed, run, only } = command
  const workspace = sniffed ? capturedWorkspace(file, run) : workspaceOf(file, run)
  if (!workspace?.ok)
    return bad(
      workspace ? formatProblem(workspace.error) : 'fusescope explain: --pattern FILE is missing. See fusescope help.',
    )
  const session = await startSession()
  session.analyze(workspace.value)
  const used = session.explainableRun()
  const fixes = command.fixes && !used.recorded
  const explained = caseExplanation(session.interpreter, used, { only, fixes, until })
  printExplained(explained, command)
  return statusOf(explained, only, [])
}

function printExplained(explained: CaseExplanation, { json, all }: ExplainOptions): void {
  const found = diagnosesOf(explained)
  if (json) writeJson(found)
  else show(1, diagnosesLines(found, { all }))
}

/** Bad input if no pattern is the requested one. */
function statusOf(
  { passes, off }: CaseExplanation,
  only: string | null,
  files: readonly { name: string; text: string }[],
): number {
  const entries = passes.flatMap((p) => p.entries)
  if (only === null || entries.length === 0 || entries.some((e) => isOnly(e, only))) return DONE
  const skipped = off.flatMap(({ name, lines = [] }) => {
    const texts = files.find((f) => f.name === name)?.text.split('\n') ?? []
    return lines.flatMap((line) => (texts[line - 1]?.includes(only) ? [`${name}:${line}`] : []))
  })
  if (skipped.length > 0) {
    complain(`explain: ${only} is not registered: ${listed(skipped)} did not run; the lines above say what turns it on`)
    return DONE
  }
  return bad(`explain: no pattern is called ${JSON.stringify(only)}; expected ${expectedOf(entries)}`)
}

/** Possible values of --only, in one sentence. */
function expectedOf(entries: readonly EntryReport[]): string {
  const titles = [...new Set(entries.map((e) => e.title))]
  const last = Math.max(...entries.map((e) => e.index))
  return `one of ${listed(titles.slice(0, 8))}${titles.length > 8 ? `, ${titles.length - 8} more classes` : ''}, a number up to ${last}, or a file`
}

/** One line per case, even for a case that fails. */
export function explainCasesCommand(command: Extract<Command, { kind: 'explain-cases' }>): Promise<number> {
  const { json, fixes } = command
  return runCases(command, { kind: 'explain', json, fixes }, json ? { diagnoses: [], lints: [] } : null)
}
