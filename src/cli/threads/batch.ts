/** Many tasks of one command: a shard of them, on all cores, with the answers of an earlier run. docs/cli.md has figures of its cost. */
import { ok } from '../../base/result'
import { DEFAULT_TIMEOUT_S } from '../box/time_limit'
import { openKept, type Kept } from './kept_answers'
import { inThreads, threadCount } from './pool'
import { Progress } from './progress'
import type { BatchOptions } from './shard'

/** The function that answers a task. `name` and `options` find and build it in another process (thread.ts); `task` runs in this one. */
export interface Work<Task, Answer> {
  name: string
  options: unknown
  task: (task: Task) => Promise<Answer>
  /** Whether a kept answer is one: its file may have been edited. */
  isAnswer: (value: unknown) => value is Answer
}

/**
 * Runs the tasks, and keeps the answers that `resume` asks for.
 * @param done takes the answers in the order of the tasks; an Error for a task whose process ended
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
