/** Entry point of `fusescope`: the page's engine in a terminal and in CI. */
import { isMainThread } from 'node:worker_threads'
import { fusescope } from './fusescope'
import { setProgram } from './threads/pool'

if (isMainThread) {
  setProgram(import.meta.filename)
  process.exitCode = await fusescope(process.argv.slice(2))
  // Python's runtime may keep timers; all output is written at this point.
  process.exit()
} else {
  const { serveTasks } = await import('./threads/thread')
  serveTasks()
}
