/** `fusescope match --cases FILE.jsonl`: Python starts once, one line of JSON a case. */
import { CaseRunner, type CaseInput } from '../engine/cases'
import { formatProblem, read } from '../fx'
import { nodeAssets } from '../python/node_assets'
import type { Command } from './args'
import { readText } from './input'
import { complain, write } from './output'
import { BAD_INPUT, DONE } from './status'

export const CASE_EXPECTED = 'one JSON object a line with id, pattern_py and graph'

export async function casesCommand(command: Extract<Command, { kind: 'cases' }>): Promise<number> {
  const text = readText(command.file, CASE_EXPECTED)
  if (!text.ok) {
    complain(formatProblem(text.error))
    return BAD_INPUT
  }
  const runner = await CaseRunner.create(nodeAssets())
  let status = DONE
  for (const [index, line] of text.value.split('\n').entries()) {
    if (line.trim() === '') continue
    const parsed = parseCase(line)
    const problem = typeof parsed === 'string' ? parsed : problemOf(parsed)
    if (problem === null && typeof parsed !== 'string') {
      const output = runner.run(parsed)
      if (command.json) write(1, `${JSON.stringify(output)}\n`)
      else
        write(
          1,
          `${output.id}: ${output.register_error ?? output.passes.map((p) => `${p.pass} ${p.count ?? p.apply_error}`).join(', ')}\n`,
        )
      continue
    }
    // The other cases still run: a long file is not lost to one bad line.
    status = BAD_INPUT
    const id = typeof parsed === 'string' ? null : parsed.id
    if (command.json) write(1, `${JSON.stringify({ id, error: problem })}\n`)
    complain(`${command.file}:${index + 1}:1: ${problem}`)
  }
  return status
}

/** A line's case, or what is wrong with it. */
export function parseCase(line: string): CaseInput | string {
  let value: Partial<Record<keyof CaseInput, unknown>> | null
  try {
    value = JSON.parse(line) as typeof value
  } catch (e) {
    return `this line is no JSON (${e instanceof Error ? e.message : String(e)}); expected ${CASE_EXPECTED}.`
  }
  const missing = (['id', 'pattern_py', 'graph'] as const).find((key) => typeof value?.[key] !== 'string')
  return missing ? `${missing} is missing or no text; expected ${CASE_EXPECTED}.` : (value as unknown as CaseInput)
}

/** What cannot be read of its graph. */
export function problemOf(input: CaseInput): string | null {
  const problem = read(input.graph, `${input.id}.graph`).problems[0]
  return problem ? formatProblem(problem) : null
}
