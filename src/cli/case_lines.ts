/** Runs a cases file, one JSON object per line, with one Python. */
import { messageOf } from '../base/error_message'
import { readCase } from '../engine/cases/case_input'
import { CaseRunner, type CaseInput } from '../engine/cases/cases'
import { applyTyped, wrongType } from '../engine/shapes/typed_shapes'
import { formatProblem, read } from '../fx'
import { nodeAssets } from '../python/node_assets'
import { readText } from './input'
import { complain, write } from './output'
import { BAD_INPUT, DONE } from './status'

const EXPECTED = 'one JSON object per line with id, pattern_py and graph'

/**
 * Runs every line. A bad line prints an error and sets the exit status; the other cases still run.
 * @param answer prints the output line of a case
 * @param refused further fields of a bad case's JSON line, beside its id and error; null for plain text
 */
export async function runCases(
  file: string,
  answer: (runner: CaseRunner, input: CaseInput) => string,
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
  let runner = await CaseRunner.create(nodeAssets())
  let status = DONE
  for (const [index, line] of text.value.split('\n').entries()) {
    if (line.trim() === '') continue
    const parsed = parseCase(line)
    const input = typeof parsed === 'string' ? null : parsed
    let problem = typeof parsed === 'string' ? parsed : problemOf(parsed)
    if (input && problem === null)
      try {
        write(1, `${answer(runner, input)}\n`)
      } catch (e) {
        problem = `the case could not be run: ${messageOf(e)}`
      }
    if (problem !== null) {
      status = BAD_INPUT
      if (refused) write(1, `${JSON.stringify({ id: input?.id ?? null, error: problem, ...refused })}\n`)
      complain(`${file}:${index + 1}:1: ${problem}`)
    }
    // After a stack overflow Python is unusable; the other cases need a new interpreter.
    if (runner.broken) runner = await CaseRunner.create(nodeAssets())
  }
  return status
}

/** The case of a line, or an error message. */
function parseCase(line: string): CaseInput | string {
  let value: Partial<Record<keyof CaseInput, unknown>> | null
  try {
    value = JSON.parse(line) as typeof value
  } catch (e) {
    return `this line is not valid JSON (${messageOf(e)}); expected ${EXPECTED}.`
  }
  const missing = (['id', 'pattern_py', 'graph'] as const).find((key) => typeof value?.[key] !== 'string')
  return missing ? `${missing} is missing or not a string; expected ${EXPECTED}.` : (value as unknown as CaseInput)
}

/** The first problem in the case's graph or shapes. */
function problemOf(input: CaseInput): string | null {
  const problem = read(input.graph, `${input.id}.graph`).problems[0]
  if (problem) return formatProblem(problem)
  if (input.shapes === undefined) return null
  const wrong = wrongType(input.shapes) ?? applyTyped(readCase(input), input.shapes)[0]
  return wrong ? `shapes: ${wrong.message}` : null
}
