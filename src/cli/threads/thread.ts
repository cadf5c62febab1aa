/** The worker-thread side of pool.ts: answers tasks one at a time. */
import { parentPort, workerData } from 'node:worker_threads'
import { caseTask } from '../cases/case_lines'
import { graphsTask } from '../matrix'

/** By name: options → the function that answers a task. */
const KINDS = { case: caseTask, graphs: graphsTask } as Readonly<
  Record<string, (options: unknown) => (task: unknown) => Promise<unknown>>
>

export function serveTasks(): void {
  const { name, options } = workerData as { name: string; options: unknown }
  const answer = KINDS[name]!(options)
  parentPort!.on('message', (task: unknown) => {
    void answer(task).then((made) => parentPort!.postMessage(made))
  })
}
