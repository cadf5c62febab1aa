/** `fusescope match --cases FILE.jsonl`: one line of output per case. */
import type { CaseOutput } from '../engine/cases/cases'
import type { Command } from './args'
import { runCases } from './case_lines'

export function casesCommand({ file, json }: Extract<Command, { kind: 'cases' }>): Promise<number> {
  const print = json ? (output: CaseOutput): string => JSON.stringify(output) : text
  return runCases(file, (runner, input) => print(runner.run(input)), json ? {} : null)
}

function text({ id, register_error, passes }: CaseOutput): string {
  const counts = passes.map((p) => `${p.pass} ${p.count ?? p.apply_error}`).join(', ')
  return `${id}: ${register_error ?? counts}`
}
