/** The boxed side of pool.ts: answers tasks one at a time. */
import { whyTask } from '../baseline/why'
import { caseTask } from '../cases/case_lines'
import { graphsTask } from '../matrix'
import { selectionTask } from '../selection/selection_lines'
import { tableTask } from '../table/table'
import type { TaskKind } from './pool'

/** By name: options → the function that answers a task. */
const KINDS = {
  case: caseTask,
  graphs: graphsTask,
  selection: selectionTask,
  table: tableTask,
  why: whyTask,
} as Readonly<Record<string, (options: unknown) => (task: unknown) => Promise<unknown>>>

export function serveTasks(): void {
  const send = process.send!.bind(process)
  let answer: ((task: unknown) => Promise<unknown>) | null = null
  process.on('message', ({ kind, task }: { kind: TaskKind; task: unknown }) => {
    answer ??= KINDS[kind.name]!(kind.options)
    void answer(task).then((made) => send(made))
  })
}
