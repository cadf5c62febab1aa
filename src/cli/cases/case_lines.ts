/** Runs a cases file, one JSON object per line. */
import { type CaseInput, type CaseOutput, explainCase, matchCase } from '../../engine/cases/cases'
import { Interpreter } from '../../engine/run/interpreter'
import { diagnosesOf } from '../../engine/report/diagnoses'
import { nodeAssets } from '../../python/node_assets'
import { diagnosesLines } from '../explain_text'
import { EXPECTED, parseCase, problemOf } from './parse_case'
import type { BatchOptions } from '../threads/shard'
import { jsonText, named } from '../output'
import { notRun, runLines, type LineOutcome } from './run_lines'

/** The printed output for a case. */
export type CaseAnswer = { kind: 'match'; json: boolean } | { kind: 'explain'; json: boolean; fixes: boolean }

/**
 * Runs every line, on all cores.
 * @param refused further fields of a bad case's JSON line, besides its id and error; null for plain text
 */
export const runCases = (
  { file, timeoutS, shard, resume }: { file: string } & BatchOptions,
  answer: CaseAnswer,
  refused: object | null,
): Promise<number> =>
  runLines(
    { file, expected: EXPECTED, timeoutS, shard, resume },
    { name: 'case', options: answer, task: caseTask(answer), refused },
  )

/** Answers lines with one Python, which starts at the first one. */
export function caseTask(answer: CaseAnswer): (line: string) => Promise<LineOutcome> {
  let interpreter: Interpreter | null = null
  return async (line) => {
    const parsed = parseCase(line)
    if (typeof parsed === 'string') return { id: null, output: null, problem: parsed }
    const { id } = parsed
    const problem = problemOf(parsed)
    if (problem !== null) return { id, output: null, problem }
    // After a stack overflow Python is unusable; the other cases need a new interpreter.
    if (interpreter === null || interpreter.broken) interpreter = await Interpreter.start(nodeAssets())
    try {
      return { id, output: outputOf(interpreter, parsed, answer), problem: null }
    } catch (e) {
      return { id, output: null, problem: notRun(e) }
    }
  }
}

function outputOf(interpreter: Interpreter, input: CaseInput, answer: CaseAnswer): string | string[] {
  if (answer.kind === 'match') {
    const output = matchCase(interpreter, input)
    return answer.json ? jsonText(output) : [countsText(output)]
  }
  const found = diagnosesOf(explainCase(interpreter, input, { fixes: answer.fixes }))
  return answer.json ? jsonText({ id: input.id, ...found }) : [`${named(input.id)}:`, ...diagnosesLines(found)]
}

function countsText({ id, register_error, advice, passes }: CaseOutput): string {
  const counts = passes.map((p) => `${named(p.pass)} ${p.count ?? p.apply_error}`).join(', ')
  const raised = register_error !== null && advice !== undefined ? `${register_error}. ${advice}` : register_error
  return `${named(id)}: ${raised ?? counts}`
}
