/**
 * Entry point of `fusescope`: the page's engine in a terminal and in CI. Commands that run user code run in a boxed process
 * (box/), where this is the entry point too.
 */
import { messageOf } from '../base/error_message'
import { parseArgs } from './args'
import { isGraphFile } from './folders'
import { boxKind, lockDownProcess } from './box/boxed'
import { RUNS_CODE, runBoxed } from './box/command'
import { DEFAULT_TIMEOUT_S } from './box/time_limit'
import { fusescope } from './fusescope'
import { complain, OutputRefused } from './output'
import { BAD_INPUT, FAILED } from './status'
import { setProgram } from './threads/pool'

/** Undefined if Node does not support it (before 20.11), and for the sources, which need permission to be compiled. */
const program = import.meta.filename?.endsWith('.mjs') ? import.meta.filename : undefined
const argv = process.argv.slice(2)
const exit = process.exit.bind(process)

/** A bug in Fusescope, unless the error is a known one: one sentence, and its stack only on request. */
function fail(e: unknown): never {
  if (e instanceof OutputRefused) {
    complain(e.message)
    return exit(BAD_INPUT)
  }
  // User code broke its Python after its files had run.
  if (e instanceof Error && 'pythonType' in e) {
    complain(`${String(e.pythonType)}: ${e.message}`)
    return exit(BAD_INPUT)
  }
  complain(`Fusescope failed: ${messageOf(e)}. This is a bug; FUSESCOPE_STACK=1 prints where.`)
  if (process.env.FUSESCOPE_STACK === '1' && e instanceof Error) complain(e.stack ?? '')
  return exit(FAILED)
}

process.on('uncaughtException', fail)
process.on('unhandledRejection', fail)

const kind = boxKind()
if (kind === 'tasks') {
  await lockDownProcess()
  const { serveTasks } = await import('./threads/thread')
  serveTasks()
} else {
  if (kind === 'command') await lockDownProcess()
  else setProgram(program)
  const status = await run()
  // Python's runtime may keep timers; all output is written at this point.
  exit(status)
}

async function run(): Promise<number> {
  const parsed = parseArgs(argv, isGraphFile)
  const boxed = kind === null && program !== undefined && parsed.ok && RUNS_CODE.has(parsed.value.kind)
  return boxed ? runBoxed(program, argv, parsed.value.timeoutS ?? DEFAULT_TIMEOUT_S) : fusescope(argv)
}
