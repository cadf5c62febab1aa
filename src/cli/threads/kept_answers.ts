/**
 * Answers of finished tasks in a file, for a run that goes on after it was ended. A line for each: the SHA-256 of what decides
 * the answer (program, command, options, task), and the answer. So a changed task runs again, and the file may be shared by
 * commands.
 */
import { appendFileSync, closeSync, ftruncateSync, readFileSync } from 'node:fs'
import { err, ok, type Result } from '../../base/result'
import { sha256 } from '../../base/sha256'
import { nodeAssets, snapshotFile } from '../../python/node_assets'
import { openToWrite, pathOf, unwritable } from '../input'
import { programFile } from './pool'

export interface Kept {
  /** Undefined if the task has not run. */
  get(task: unknown): unknown
  put(task: unknown, answer: unknown): void
  close(): void
}

const FIRST_LINE = '{"fusescope":"kept answers","version":1}\n'

/** @param run what decides the answers beside the tasks */
export function openKept(path: string, run: readonly unknown[]): Result<Kept, string> {
  let file: number
  let text: string
  try {
    file = openToWrite(pathOf(path), 'a', 0o600)
    text = readFileSync(file, 'utf8')
  } catch (e) {
    return err(`${path}: ${unwritable(e)}; --resume needs a file.`)
  }
  if (!text.startsWith(FIRST_LINE) && !FIRST_LINE.startsWith(text)) {
    closeSync(file)
    return err(`${path}:1:1: this file is none of --resume; name a new file, or one that --resume wrote.`)
  }
  // A run that was ended may have left half a line.
  const whole = text.slice(0, text.lastIndexOf('\n') + 1)
  if (whole.length < text.length) ftruncateSync(file, Buffer.byteLength(whole))
  if (whole === '') appendFileSync(file, FIRST_LINE)
  const answers = new Map(whole.split('\n').slice(1).flatMap(answerOf))
  const program = programHash()
  const keyOf = (task: unknown): string => sha256(JSON.stringify([program, ...run, task]))
  return ok({
    get: (task) => answers.get(keyOf(task)),
    put: (task, answer) => appendFileSync(file, `${JSON.stringify([keyOf(task), answer])}\n`),
    close: () => closeSync(file),
  })
}

function answerOf(line: string): [string, unknown][] {
  try {
    const [key, answer] = JSON.parse(line) as [string, unknown]
    return [[key, answer]]
  } catch {
    return []
  }
}

/** The program names the files that it imports by their content, and the snapshot is named by the content of the Python. */
function programHash(): string {
  const program = programFile()
  return program === null ? '' : sha256(readFileSync(program, 'utf8') + snapshotFile(nodeAssets()))
}
