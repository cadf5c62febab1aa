/** `fusescope explain`: why patterns do not fire, and fixes. */
import { CaseRunner } from '../engine/cases/cases'
import { diagnosesOf } from '../engine/report/diagnoses'
import { listed } from '../base/english'
import type { EntryReport } from '../engine/protocol'
import { isOnly } from '../engine/report/only'
import { formatProblem } from '../fx'
import { nodeAssets } from '../python/node_assets'
import type { Command } from './args'
import { caseInput } from './case_input'
import { runCases } from './cases/case_lines'
import { diagnosesLines } from './explain_text'
import { noSuchPass, pythonLine, readInputs } from './inputs'
import { complain, show, writeJson } from './output'
import { BAD_INPUT, DONE } from './status'

export async function explainCommand(command: Extract<Command, { kind: 'explain' }>): Promise<number> {
  const inputs = readInputs(command)
  if (!inputs.ok) {
    complain(formatProblem(inputs.error))
    return BAD_INPUT
  }
  const runner = await CaseRunner.create(nodeAssets())
  const { fixes, only } = command
  const explained = runner.explain(caseInput(runner, command, inputs.value), { fixes, only })
  const found = diagnosesOf(explained)
  if (command.json) writeJson(found)
  else show(1, diagnosesLines(found, { all: command.all }))
  const missing = explained.stages.find((s) => s.off === 'not-defined')
  if (runner.failure && explained.causes.length === 0) {
    complain(pythonLine(runner.failure, inputs.value.files))
    return BAD_INPUT
  }
  if (!runner.failure && missing !== undefined) {
    complain(noSuchPass(command, missing.stage))
    return BAD_INPUT
  }
  const entries = explained.passes.flatMap((p) => p.entries)
  if (only !== null && entries.length > 0 && !entries.some((e) => isOnly(e, only))) {
    complain(`explain: no pattern is called ${JSON.stringify(only)}; expected ${expectedOf(entries)}`)
    return BAD_INPUT
  }
  return DONE
}

/** Names for --only, in one sentence. */
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
