/** `fusescope match --cases FILE.jsonl`: one line of output per case. */
import type { Command } from '../args'
import { runCases } from './case_lines'

export function casesCommand({ file, json }: Extract<Command, { kind: 'cases' }>): Promise<number> {
  return runCases(file, { kind: 'match', json }, json ? {} : null)
}
