/** `fusescope match --cases FILE.jsonl`: one line of output per case. */
import type { Command } from '../args'
import { runCases } from './case_lines'

export function casesCommand(command: Extract<Command, { kind: 'cases' }>): Promise<number> {
  const { json } = command
  return runCases(command, { kind: 'match', json }, json ? {} : null)
}
