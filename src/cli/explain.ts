/** `fusescope explain`: why patterns do not fire, and what would make them. */
import { basename } from 'node:path'
import { CaseRunner, type CaseInput } from '../engine/cases'
import { diagnosesOf, type Diagnoses, type DiagnosedCause, type Diagnosis } from '../engine/diagnoses'
import { formatProblem } from '../fx'
import { nodeAssets } from '../python/node_assets'
import type { Command } from './args'
import { CASE_EXPECTED, parseCase, problemOf } from './cases'
import { readText } from './input'
import { noSuchPass, readInputs } from './inputs'
import { complain, write } from './output'
import { BAD_INPUT, DONE } from './status'

export async function explainCommand(command: Extract<Command, { kind: 'explain' }>): Promise<number> {
  const inputs = readInputs(command)
  if (!inputs.ok) {
    complain(formatProblem(inputs.error))
    return BAD_INPUT
  }
  const { graph, shapes, files } = inputs.value
  const runner = await CaseRunner.create(nodeAssets())
  const explained = runner.explain(
    {
      id: basename(command.graph),
      pattern_py: '',
      files,
      graph: graph.text,
      ...(shapes && { readable: shapes.text }),
      ...(command.passes.length > 0 && { passes: command.passes }),
    },
    { fixes: command.fixes },
  )
  const found = diagnosesOf(explained)
  write(1, command.json ? `${JSON.stringify(found)}\n` : text(found))
  const missing = command.passes.find((name) => !explained.passes.some((p) => p.pass === name))
  if (explained.error !== null && explained.causes.length === 0) {
    complain(`${files.map((f) => f.name).join(', ')}: ${explained.error}`)
    return BAD_INPUT
  }
  if (explained.error === null && missing !== undefined) {
    complain(noSuchPass(command, missing))
    return BAD_INPUT
  }
  return DONE
}

/** One line a case, whatever happens in it. */
export async function explainCasesCommand(command: Extract<Command, { kind: 'explain-cases' }>): Promise<number> {
  const file = readText(command.file, CASE_EXPECTED)
  if (!file.ok) {
    complain(formatProblem(file.error))
    return BAD_INPUT
  }
  let runner = await CaseRunner.create(nodeAssets())
  let status = DONE
  const bad = (line: number, id: string | null, problem: string): void => {
    status = BAD_INPUT
    if (command.json) write(1, `${JSON.stringify({ id, error: problem, diagnoses: [], lints: [] })}\n`)
    complain(`${command.file}:${line}:1: ${problem}`)
  }
  for (const [index, line] of file.value.split('\n').entries()) {
    if (line.trim() === '') continue
    const parsed = parseCase(line)
    if (typeof parsed === 'string') {
      bad(index + 1, null, parsed)
      continue
    }
    const problem = problemOf(parsed)
    if (problem !== null) {
      bad(index + 1, parsed.id, problem)
      continue
    }
    try {
      const found = diagnosesOf(runner.explain(parsed, { fixes: command.fixes }))
      write(1, command.json ? `${JSON.stringify({ id: parsed.id, ...found })}\n` : `${parsed.id}:\n${text(found)}`)
    } catch (e) {
      bad(index + 1, idOf(parsed), `the case could not be explained: ${e instanceof Error ? e.message : String(e)}`)
    }
    // Python that ran out of its stack is gone; the other cases get another.
    if (runner.broken) runner = await CaseRunner.create(nodeAssets())
  }
  return status
}

const idOf = (input: CaseInput): string => input.id

/** Diagnoses shown of one run; the rest are counted. */
const SHOWN = 12

function text({ diagnoses, lints, cut, left_out: leftOut = [] }: Diagnoses): string {
  const lines = diagnoses.slice(0, SHOWN).flatMap(diagnosisLines)
  if (diagnoses.length > SHOWN) lines.push(`and ${diagnoses.length - SHOWN} more; --json prints all`)
  for (const l of lints) lines.push(`${l.pass}, pattern ${l.entry}: ${l.kind}: ${l.message}`)
  if (lines.length === 0) lines.push('nothing to explain: every pattern fired wherever it came near')
  for (const l of leftOut) lines.push(`${l.pass}: ${l.message}`)
  if (cut) lines.push('the time for repairs ran out: some causes were not tried')
  return `${lines.join('\n')}\n`
}

function diagnosisLines(d: Diagnosis): string[] {
  const who = d.pass === null ? 'registration' : d.entry === null ? d.pass : `${d.pass}, pattern ${d.entry}`
  const where = d.times === 0 ? '' : ` at ${d.anchor}${d.times > 1 ? ` and ${d.times - 1} more places` : ''}`
  const near = d.times === 0 ? '' : `: ${d.aligned} of ${d.of} nodes align`
  return [`${who}${where}${near}`, ...d.causes.flatMap(causeLines)]
}

function causeLines(c: DiagnosedCause): string[] {
  const at = c.source ? ` (${c.source.file}:${c.source.line})` : ''
  return [
    `  ${c.kind}: ${c.message}${at}`,
    ...c.fixes.flatMap((f) => [
      `    fix: ${f.title}: fires ${f.matches_after} ${f.matches_after === 1 ? 'time' : 'times'} with this change`,
      ...f.diff
        .trimEnd()
        .split('\n')
        .map((l) => `      ${l}`),
    ]),
  ]
}
