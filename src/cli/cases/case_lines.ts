/** Runs a cases file, one JSON object per line. */
import { messageOf } from '../../base/error_message'
import { CaseRunner, type CaseInput, type CaseOutput } from '../../engine/cases/cases'
import { diagnosesOf } from '../../engine/report/diagnoses'
import { formatProblem } from '../../fx'
import { nodeAssets } from '../../python/node_assets'
import { diagnosesText } from '../explain_text'
import { EXPECTED, parseCase, problemOf } from './parse_case'
import { DEFAULT_TIMEOUT_S } from '../box/time_limit'
import { readText } from '../input'
import { complain, jsonText, show, write, writeJson } from '../output'
import { BAD_INPUT, DONE } from '../status'
import { inThreads, threadCount } from '../threads/pool'

/** What a command prints for a case. */
export type CaseAnswer = { kind: 'match'; json: boolean } | { kind: 'explain'; json: boolean; fixes: boolean }

/** The outcome of a line: its output, and its error. */
interface LineOutcome {
  id: string | null
  output: string | null
  problem: string | null
}

/**
 * Runs every line, on all cores. A bad line prints an error and sets the exit status; the other cases still run.
 * @param timeoutS for each case
 * @param refused further fields of a bad case's JSON line, beside its id and error; null for plain text
 */
export async function runCases(
  { file, timeoutS = DEFAULT_TIMEOUT_S }: { file: string; timeoutS?: number },
  answer: CaseAnswer,
  refused: object | null,
): Promise<number> {
  const text = readText(file, EXPECTED)
  if (!text.ok) {
    complain(formatProblem(text.error))
    return BAD_INPUT
  }
  if (text.value.trim() === '') {
    complain(`${file}:1:1: the file is empty; expected ${EXPECTED}.`)
    return BAD_INPUT
  }
  const lines = text.value.split('\n').flatMap((line, index) => (line.trim() === '' ? [] : [{ line, index }]))
  let status = DONE
  const report = (made: LineOutcome | Error, at: number): void => {
    const { id, output, problem } = made instanceof Error ? { id: null, output: null, problem: notRun(made) } : made
    if (output !== null) (answer.json ? write : show)(1, `${output}\n`)
    if (problem === null) return
    status = BAD_INPUT
    if (refused) writeJson({ id, error: problem, ...refused })
    complain(`${file}:${lines[at]!.index + 1}:1: ${problem}`)
  }
  const texts = lines.map((l) => l.line)
  const threads = threadCount(texts.length)
  if (threads > 0) await inThreads({ name: 'case', options: answer, timeoutS }, texts, threads, report)
  else {
    const run = caseTask(answer)
    for (const [at, line] of texts.entries()) report(await run(line), at)
  }
  return status
}

const notRun = (e: unknown): string => `the case could not be run: ${messageOf(e)}`

/** Answers lines with one Python, which starts at the first one. */
export function caseTask(answer: CaseAnswer): (line: string) => Promise<LineOutcome> {
  let runner: CaseRunner | null = null
  return async (line) => {
    const parsed = parseCase(line)
    if (typeof parsed === 'string') return { id: null, output: null, problem: parsed }
    const { id } = parsed
    const problem = problemOf(parsed)
    if (problem !== null) return { id, output: null, problem }
    // After a stack overflow Python is unusable; the other cases need a new interpreter.
    if (runner === null || runner.broken) runner = await CaseRunner.create(nodeAssets())
    try {
      return { id, output: outputOf(runner, parsed, answer), problem: null }
    } catch (e) {
      return { id, output: null, problem: notRun(e) }
    }
  }
}

function outputOf(runner: CaseRunner, input: CaseInput, answer: CaseAnswer): string {
  if (answer.kind === 'match') {
    const output = runner.run(input)
    return answer.json ? jsonText(output) : countsText(output)
  }
  const found = diagnosesOf(runner.explain(input, { fixes: answer.fixes }))
  return answer.json ? jsonText({ id: input.id, ...found }) : `${input.id}:\n${diagnosesText(found).trimEnd()}`
}

function countsText({ id, register_error, passes }: CaseOutput): string {
  const counts = passes.map((p) => `${p.pass} ${p.count ?? p.apply_error}`).join(', ')
  return `${id}: ${register_error ?? counts}`
}
