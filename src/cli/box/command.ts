/** Runs a command in a boxed process, with a time limit. */
import type { Command } from '../args'
import { complain } from '../output'
import { FAILED, STOPPED } from '../status'
import { NO_SNAPSHOT, startBoxed, type Boxed } from './process'
import { pathsIn } from './rights'
import { TimeLimit } from './time_limit'

/** Commands that run user code in their own process; the others only read and print, or give tasks to boxed processes. */
export const RUNS_CODE: ReadonlySet<Command['kind']> = new Set([
  'match',
  'explain',
  'explain-capture',
  'explain-pattern',
  'passes',
  'passes-of',
  'test',
  'lower',
  'trace',
  'pattern',
  'compare',
  'export',
])

/**
 * @param program the program's main file
 * @param timeoutS 0: no limit
 * @returns the exit status
 */
export async function runBoxed(program: string, args: readonly string[], timeoutS: number): Promise<number> {
  const start = { program, kind: 'command', args, paths: pathsIn(args) } as const
  const warm = startBoxed({ ...start, cold: false })
  const first = await outcomeOf(warm, timeoutS)
  if (first !== NO_SNAPSHOT) return first
  await makeSnapshot()
  const second = await outcomeOf(startBoxed({ ...start, cold: true, said: warm.said() }), timeoutS)
  return second === NO_SNAPSHOT ? STOPPED : second
}

/** Creates Python's memory snapshot here, because a boxed process may not write it. No user code is involved. */
export async function makeSnapshot(): Promise<void> {
  try {
    const { nodeAssets } = await import('../../python/node_assets')
    await nodeAssets().snapshot?.()
  } catch {
    // On failure, Python starts cold.
  }
}

/** Message for user code that was stopped. */
export const stoppedAfter = (timeoutS: number): string =>
  `user code ran for more than ${timeoutS} s and was stopped; --timeout SECONDS changes the limit (0: none).`

export const endedBy = (status: number | null, signal: string | null): string =>
  `user code ended the process it ran in (${signal ?? `status ${status}`}): it crashed Python or used up the memory.`

function outcomeOf({ child }: Boxed, timeoutS: number): Promise<number | typeof NO_SNAPSHOT> {
  return new Promise((resolve) => {
    let missing = false
    const limit = new TimeLimit(child, timeoutS)
    limit.start()
    const endings = (['SIGINT', 'SIGTERM', 'SIGHUP'] as const).map((name, i) => {
      const end = (): void => {
        child.kill('SIGKILL')
        process.exit([130, 143, 129][i])
      }
      process.on(name, end)
      return () => process.off(name, end)
    })
    child.on('message', (message) => {
      missing ||= message === NO_SNAPSHOT
    })
    child.on('error', (e) => complain(`the process of user code could not be started: ${e.message}`))
    child.on('close', (status, signal) => {
      limit.stop()
      for (const off of endings) off()
      if (missing) return resolve(NO_SNAPSHOT)
      if (limit.passed) complain(stoppedAfter(timeoutS))
      else if (status === null || status > FAILED) complain(endedBy(status, signal))
      else return resolve(status)
      resolve(STOPPED)
    })
  })
}
