/**
 * Many tasks of one command: runs a shard of them on all cores, reusing the answers of an earlier run. docs/cli.md has figures of
 * its cost.
 */
import { ok, err, type Result } from '../../base/result'
import { DEFAULT_TIMEOUT_S } from '../box/time_limit'
import { inThreads, threadCount, programFile } from './pool'
import { Progress } from './progress'
import type { BatchOptions } from './shard'
import { appendFileSync, closeSync, ftruncateSync, readFileSync } from 'node:fs'
import { sha256 } from '../../base/sha256'
import { nodeAssets, snapshotFile } from '../../python/node_assets'
import { openToWrite, pathOf, unwritable } from '../input'

/** The function that answers a task. `name` and `options` find and build it in another process (thread.ts); `task` runs in this one. */
export interface Work<Task, Answer> {
  name: string
  options: unknown
  task: (task: Task) => Promise<Answer>
  /** Checks a stored answer, because its file may have been edited. */
  isAnswer: (value: unknown) => value is Answer
}

/**
 * Runs the tasks, and stores the answers in the file of `resume`.
 * @param done receives the answers in the order of the tasks; an Error for a task whose process ended
 * @returns why the file of `resume` cannot be used; null if all have run
 */
export async function runBatch<Task, Answer>(
  work: Work<Task, Answer>,
  tasks: readonly Task[],
  { timeoutS = DEFAULT_TIMEOUT_S, resume }: BatchOptions,
  done: (answer: Answer | Error, index: number) => void,
): Promise<string | null> {
  const kept = resume === undefined ? ok(null) : openKept(resume, [work.name, work.options])
  if (!kept.ok) return kept.error
  try {
    await runRest(work, tasks, { timeoutS, kept: kept.value }, done)
  } finally {
    kept.value?.close()
  }
  return null
}

async function runRest<Task, Answer>(
  { name, options, task, isAnswer }: Work<Task, Answer>,
  tasks: readonly Task[],
  { timeoutS, kept }: { timeoutS: number; kept: Kept | null },
  done: (answer: Answer | Error, index: number) => void,
): Promise<void> {
  const answers = tasks.map((t) => {
    const answer = kept?.get(t)
    return isAnswer(answer) ? answer : undefined
  })
  const rest = tasks.flatMap((t, index) => (answers[index] === undefined ? [{ task: t, index }] : []))
  const progress = new Progress(tasks.length, tasks.length - rest.length)
  let reported = 0
  const reportKept = (until: number): void => {
    for (; reported < until; reported++) done(answers[reported]!, reported)
  }
  const report = (answer: Answer | Error, at: number): void => {
    const { task: own, index } = rest[at]!
    if (!(answer instanceof Error)) kept?.put(own, answer)
    progress.hide()
    reportKept(index)
    done(answer, index)
    reported = index + 1
    progress.step()
  }
  const threads = threadCount(rest.length)
  const given = rest.map((r) => r.task)
  if (rest.length === 0) reportKept(tasks.length)
  else if (threads > 0) await inThreads({ name, options, timeoutS }, given, threads, report)
  else for (const [at, one] of given.entries()) report(await task(one), at)
  progress.hide()
  reportKept(tasks.length)
}

/**
 * Stores the answers of finished tasks in a file, so that an interrupted run can continue. Each line is the SHA-256 of everything
 * that decides the answer (program, command, options, task), and the answer. So a changed task runs again, and commands may share
 * the file.
 */
interface Kept {
  /** Undefined if the task has not run. */
  get(task: unknown): unknown
  put(task: unknown, answer: unknown): void
  close(): void
}

const FIRST_LINE = '{"fusescope":"kept answers","version":1}\n'

/** @param run everything besides the task that decides the answers */
function openKept(path: string, run: readonly unknown[]): Result<Kept, string> {
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
    return err(`${path}:1:1: --resume did not write this file; name a new file, or one that --resume wrote.`)
  }
  // An interrupted run may have left half a line.
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

/**
 * The program names the files that it imports by their content, and the snapshot's name depends on the content of the Python files.
 */
function programHash(): string {
  const program = programFile()
  return program === null ? '' : sha256(readFileSync(program, 'utf8') + snapshotFile(nodeAssets()))
}
