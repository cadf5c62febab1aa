/** `fusescope explain`: why patterns do not fire, and fixes. */
import { basename } from 'node:path'
import { CaseRunner } from '../engine/cases/cases'
import {
  diagnosesOf,
  type Diagnoses,
  type DiagnosedCause,
  type DiagnosedFix,
  type Diagnosis,
} from '../engine/report/diagnoses'
import { schemaLines } from '../engine/report/schema_choices'
import { decisionLines } from '../engine/report/stub_decisions'
import { formatProblem } from '../fx'
import { nodeAssets } from '../python/node_assets'
import type { Command } from './args'
import { runCases } from './case_lines'
import { filesWithCalls } from './calls'
import { noSuchPass, pythonLine, readInputs } from './inputs'
import { complain, write } from './output'
import { BAD_INPUT, DONE } from './status'

export async function explainCommand(command: Extract<Command, { kind: 'explain' }>): Promise<number> {
  const inputs = readInputs(command)
  if (!inputs.ok) {
    complain(formatProblem(inputs.error))
    return BAD_INPUT
  }
  const { graph, shapes, inputShapes, files } = inputs.value
  const runner = await CaseRunner.create(nodeAssets())
  const input = {
    id: basename(command.graph),
    pattern_py: '',
    graph: graph.text,
    ...(shapes && { readable: shapes.text }),
    ...(inputShapes && { shapes: inputShapes }),
    ...(command.passes.length > 0 && { passes: command.passes }),
  }
  const all = filesWithCalls(files, command.calls, (f) => {
    runner.run({ ...input, files: f })
    return runner.files
  })
  const explained = runner.explain({ ...input, files: all }, { fixes: command.fixes })
  const found = diagnosesOf(explained)
  write(1, command.json ? `${JSON.stringify(found)}\n` : text(found))
  const missing = explained.stages.find((s) => s.off === 'not-defined')
  if (runner.failure && explained.causes.length === 0) {
    complain(pythonLine(runner.failure, files))
    return BAD_INPUT
  }
  if (!runner.failure && missing !== undefined) {
    complain(noSuchPass(command, missing.stage))
    return BAD_INPUT
  }
  return DONE
}

/** One line per case, even for a case that fails. */
export function explainCasesCommand({
  file,
  json,
  fixes,
}: Extract<Command, { kind: 'explain-cases' }>): Promise<number> {
  return runCases(
    file,
    (runner, input) => {
      const found = diagnosesOf(runner.explain(input, { fixes }))
      return json ? JSON.stringify({ id: input.id, ...found }) : `${input.id}:\n${text(found).trimEnd()}`
    },
    json ? { diagnoses: [], lints: [] } : null,
  )
}

/** Maximum number of diagnoses printed for one run; the rest are counted. */
const MAX_DIAGNOSES = 12

function text({ diagnoses, lints, cut, stubs = [], schemas = [], left_out: leftOut = [] }: Diagnoses): string {
  const lines = diagnoses.slice(0, MAX_DIAGNOSES).flatMap(diagnosisLines)
  if (diagnoses.length > MAX_DIAGNOSES) lines.push(`and ${diagnoses.length - MAX_DIAGNOSES} more; --json prints all`)
  for (const l of lints) lines.push(`${l.pass}, pattern ${l.entry}: ${l.kind}: ${l.message}`)
  if (lines.length === 0) lines.push('nothing to explain: there are no near misses')
  lines.push(...decisionLines(stubs), ...schemaLines(schemas))
  for (const l of leftOut) lines.push(`${l.pass}: ${l.message}`)
  if (cut) lines.push('the time for fixes ran out before every cause was tried')
  return `${lines.join('\n')}\n`
}

function diagnosisLines(d: Diagnosis): string[] {
  const who = d.pass === null ? 'registration' : d.entry === null ? d.pass : `${d.pass}, pattern ${d.entry}`
  const where = d.times === 0 ? '' : ` at ${d.anchor}${d.times > 1 ? ` and ${d.times - 1} more places` : ''}`
  const near = d.times === 0 ? '' : `: ${d.aligned} of ${d.of} nodes align`
  return [`${who}${where}${near}`, ...d.causes.flatMap(causeLines)]
}

const times = ({ matches_after: n }: DiagnosedFix): string => `${n} ${n === 1 ? 'time' : 'times'}`

function causeLines(c: DiagnosedCause): string[] {
  const at = c.source ? ` (${c.source.file}:${c.source.line})` : ''
  return [
    `  ${c.kind}: ${c.message}${at}`,
    ...c.fixes.flatMap((f) => [
      `    fix: ${f.title}: fires ${times(f)} with this change; ${f.numbers_message}`,
      ...(f.changes ?? []).map((change) => `      - ${change}`),
      ...f.diff
        .trimEnd()
        .split('\n')
        .map((l) => `      ${l}`),
    ]),
    ...(c.tried ?? []).map((f) => `    tried: ${f.title}: fires ${times(f)}, and ${f.numbers_message}`),
  ]
}
