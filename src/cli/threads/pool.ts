/** Runs tasks on all cores: worker threads that load this program again (main.ts), each with a Python of its own. */
import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import { messageOf } from '../../base/error_message'

/** A thread starts Python, which pays off from this number of tasks on. */
const MIN_TASKS = 4

let program: string | null = null

/** @param file the program's main file; undefined where Node does not know it (before 20.11): nothing runs in threads */
export function setProgram(file: string | undefined): void {
  program = file ?? null
}

/** The number of threads for so many tasks; 1: the tasks run in this thread. */
export function threadCount(tasks: number): number {
  return program === null || tasks < MIN_TASKS ? 1 : Math.min(availableParallelism(), tasks)
}

/**
 * Runs the tasks in `threads` threads.
 * @param kind the name of the function that answers them (thread.ts), and what it needs beside each task
 * @param done takes the answers in the order of the tasks; an Error for a task whose thread ended
 */
export async function inThreads<Task, Answer>(
  kind: { readonly name: string; readonly options: unknown },
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
  /** A thread that takes tasks until there are none. */
  const runThread = (): Promise<void> =>
    new Promise((resolve) => {
      const worker = new Worker(program!, { workerData: kind, stdout: true })
      let current = -1
      const take = (): void => {
        current = next++
        if (current < tasks.length) return worker.postMessage(tasks[current])
        resolve()
        void worker.terminate()
      }
      worker.on('message', (answer: Answer) => {
        report(current, answer)
        take()
      })
      // The task ended its thread; another one takes the rest.
      worker.on('error', (e) => {
        report(current, new Error(messageOf(e)))
        resolve(runThread())
      })
      take()
    })
  await Promise.all(Array.from({ length: threads }, runThread))
}
