/** Answers each line of a file, on all cores. */
import { messageOf } from '../../base/error_message'
import { formatProblem } from '../../fx'
import { readText } from '../input'
import { complain, show, write, writeJson } from '../output'
import { BAD_INPUT, DONE } from '../status'
import { inThreads, threadCount } from '../threads/pool'

/** The outcome of a line: its output, and its error. */
export interface LineOutcome {
  id: string | null
  /** A string: a line of JSON, written byte for byte. */
  output: string | readonly string[] | null
  problem: string | null
}

export interface LinesFile {
  file: string
  /** What its lines hold. */
  expected: string
  /** For each line. */
  timeoutS: number
}

export interface LineTask {
  /** What answers the lines in another process (threads/thread.ts), and what it needs beside each line. */
  name: string
  options: unknown
  /** The same in this process. */
  task: (line: string) => Promise<LineOutcome>
  /** Further fields of a bad line's JSON, beside its id and error; null for plain text. */
  refused?: object | null
}

/** A bad line prints an error and sets the exit status; the others still run. */
export async function runLines({ file, expected, timeoutS }: LinesFile, task: LineTask): Promise<number> {
  const text = readText(file, expected)
  if (!text.ok) {
    complain(formatProblem(text.error))
    return BAD_INPUT
  }
  if (text.value.trim() === '') {
    complain(`${file}:1:1: the file is empty; expected ${expected}.`)
    return BAD_INPUT
  }
  const lines = text.value.split('\n').flatMap((line, index) => (line.trim() === '' ? [] : [{ line, index }]))
  let status = DONE
  const report = (made: LineOutcome | Error, at: number): void => {
    const { id, output, problem } = made instanceof Error ? { id: null, output: null, problem: notRun(made) } : made
    if (typeof output === 'string') write(1, `${output}\n`)
    else if (output !== null) show(1, output)
    if (problem === null) return
    status = BAD_INPUT
    if (task.refused) writeJson({ id, error: problem, ...task.refused })
    complain(`${file}:${lines[at]!.index + 1}:1: ${problem}`)
  }
  const texts = lines.map((l) => l.line)
  const threads = threadCount(texts.length)
  if (threads > 0) await inThreads({ name: task.name, options: task.options, timeoutS }, texts, threads, report)
  else for (const [at, line] of texts.entries()) report(await task.task(line), at)
  return status
}

export const notRun = (e: unknown): string => `the case could not be run: ${messageOf(e)}`
