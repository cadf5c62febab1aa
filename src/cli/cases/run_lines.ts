/** Answers each line of a file, on all cores. */
import { messageOf } from '../../base/error_message'
import { formatProblem } from '../../fx'
import { readText } from '../input'
import { bad, complain, show, writeJson, writeJsonLine } from '../output'
import { BAD_INPUT, DONE } from '../status'
import { runBatch, type Work } from '../threads/batch'
import { inShard, type BatchOptions } from '../threads/shard'

/** The outcome of a line: its output, and its error. */
export interface LineOutcome {
  id: string | null
  /** A string: a line of JSON. */
  output: string | readonly string[] | null
  problem: string | null
}

export interface LinesFile extends BatchOptions {
  file: string
  /** Description of a line. */
  expected: string
}

export interface LineWork extends Omit<Work<string, LineOutcome>, 'isAnswer'> {
  /** Further fields of a bad line's JSON, besides its id and error; null for plain text. */
  refused?: object | null
}

/** A bad line prints an error and sets the exit status; the others still run. */
export async function runLines({ file, expected, ...batch }: LinesFile, work: LineWork): Promise<number> {
  const text = readText(file, expected)
  if (!text.ok) return bad(formatProblem(text.error))
  if (text.value.trim() === '') return bad(`${file}:1:1: the file is empty; expected ${expected}.`)
  const all = text.value.split('\n').flatMap((line, index) => (line.trim() === '' ? [] : [{ line, index }]))
  const lines = inShard(all, batch.shard)
  let status = DONE
  const report = (made: LineOutcome | Error, at: number): void => {
    const { id, output, problem } = made instanceof Error ? { id: null, output: null, problem: notRun(made) } : made
    if (typeof output === 'string') writeJsonLine(output)
    else if (output !== null) show(1, output)
    if (problem === null) return
    status = BAD_INPUT
    if (work.refused) writeJson({ id, error: problem, ...work.refused })
    complain(`${file}:${lines[at]!.index + 1}:1: ${problem}`)
  }
  const texts = lines.map((l) => l.line)
  const refused = await runBatch({ ...work, isAnswer: isOutcome }, texts, batch, report)
  if (refused === null) return status
  return bad(refused)
}

function isOutcome(value: unknown): value is LineOutcome {
  const { id, output, problem } = (value ?? {}) as { [K in keyof LineOutcome]?: unknown }
  const isText = (v: unknown): boolean => v === null || typeof v === 'string'
  const lines = Array.isArray(output) && output.every((line) => typeof line === 'string')
  return isText(id) && isText(problem) && (isText(output) || lines)
}

export const notRun = (e: unknown): string => `the case could not be run: ${messageOf(e)}`
