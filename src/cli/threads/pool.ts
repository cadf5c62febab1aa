/** Runs tasks on all cores: boxed processes (../box), each with a Python of its own. */
import { availableParallelism } from 'node:os'
import { endedBy, makeSnapshot, stoppedAfter } from '../box/command'
import { startBoxed } from '../box/process'
import { TimeLimit } from '../box/time_limit'

/** Minimum number of tasks for a separate process, because each process starts Python. */
const MIN_TASKS = 4

/**
 * The function that answers the tasks (thread.ts), its input besides each task, and the time limit per task in seconds (0: no
 * limit).
 */
export interface TaskKind {
  readonly name: string
  readonly options: unknown
  readonly timeoutS: number
}

let program: string | null = null

/** @param file the program's main file; undefined: tasks run in this process, without a box */
export function setProgram(file: string | undefined): void {
  program = file ?? null
}

/** The program's main file; null: tasks run in this process. */
export const programFile = (): string | null => program

/** The number of processes for this many tasks; 0: the tasks run in this process. */
export function threadCount(tasks: number): number {
  if (program === null) return 0
  return tasks < MIN_TASKS ? 1 : Math.min(availableParallelism(), tasks)
}

/**
 * Runs the tasks in `threads` processes.
 * @param kind the name of the function that answers them (thread.ts), and its input besides each task
 * @param done receives the answers in the order of the tasks; an Error for a task whose process ended
 */
export async function inThreads<Task, Answer>(
  kind: TaskKind,
  tasks: readonly Task[],
  threads: number,
  done: (answer: Answer | Error, index: number) => void,
): Promise<void> {
  const answers = new Map<number, Answer | Error>()
  let next = 0
  let reported = 0
  const report = (index: number, answer: Answer | Error): void => {
    answers.set(index, answer)
    for (; answers.has(reported); reported++) {
      done(answers.get(reported)!, reported)
      answers.delete(reported)
    }
  }
  // A process without rights cannot keep the snapshot.
  await makeSnapshot()
  /** A process that takes tasks until none are left. */
  const runProcess = (): Promise<void> =>
    new Promise((resolve) => {
      const { child } = startBoxed({ program: program!, kind: 'tasks', args: [], paths: [], cold: true })
      const limit = new TimeLimit(child, kind.timeoutS)
      let current = -1
      const take = (): void => {
        current = next++
        limit.stop()
        if (current >= tasks.length) return void child.kill('SIGKILL')
        limit.start()
        child.send({ kind, task: tasks[current] })
      }
      child.on('message', (answer: Answer) => {
        report(current, answer)
        take()
      })
      child.on('close', (status, signal) => {
        limit.stop()
        if (current >= tasks.length) return resolve()
        // The task ended its process; another one takes the rest.
        report(current, new Error(limit.passed ? stoppedAfter(kind.timeoutS) : endedBy(status, signal)))
        resolve(runProcess())
      })
      take()
    })
  await Promise.all(Array.from({ length: threads }, runProcess))
}
