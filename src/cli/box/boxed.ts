/** The inside of a boxed process: what it removes before user code runs, and how it ends. */
import { constants } from 'node:fs'
import { showConsole } from '../output'
import { NO_SNAPSHOT, type BoxKind } from './process'

/** The purpose of this process; null for a process that people start. */
export const boxKind = (): BoxKind | null => (process.env.FUSESCOPE_BOX as BoxKind | undefined) ?? null

/** Globals that reach the network or other contexts; Pyodide needs none of them. */
const GLOBALS = [
  'fetch',
  'WebSocket',
  'EventSource',
  'XMLHttpRequest',
  'BroadcastChannel',
  'Request',
  'navigator',
] as const
/** Members of `process` that lead to Node's modules, to other processes or to sockets. */
const MEMBERS = [
  'dlopen',
  'getBuiltinModule',
  'kill',
  '_kill',
  '_debugProcess',
  '_linkedBinding',
  'mainModule',
  'openStdin',
  'report',
] as const
/** Streams are sockets. Pyodide asks them whether they are terminals. */
const STREAMS = ['stdin', 'stdout', 'stderr'] as const

/**
 * Removes everything that leads out of the process, for user code that escapes from Python. Node's permission model refuses files,
 * processes and threads; sockets are not part of it before Node 25.
 */
export async function lockDownProcess(): Promise<void> {
  for (const name of GLOBALS) hide(globalThis, name)
  for (const name of MEMBERS) hide(process, name)
  // Emscripten reads the numbers of the file system's flags here, and the permission model refuses the original.
  hide(process, 'binding', () => ({ fs: constants }))
  // os.umask would change the process's own mask, also for the next case.
  hide(process, 'umask', () => 0o22)
  for (const name of STREAMS) hide(process, name, Object.freeze({ isTTY: false }))
  // Pyodide prints its stack there when Python crashes; reports have their own sentence about it.
  console.error = () => {}
  // Includes text that Python writes to /dev/tty.
  for (const name of ['log', 'info', 'warn', 'debug'] as const)
    console[name] = (text: unknown) => showConsole(String(text))
  if (process.env.FUSESCOPE_COLD !== undefined) return
  const { setMissingSnapshot } = await import('../../python/node_assets')
  setMissingSnapshot(() => {
    process.send!(NO_SNAPSHOT, undefined, undefined, () => process.exit(0))
    return new Promise(() => {})
  })
}

function hide(object: object, name: string, value?: object): void {
  Object.defineProperty(object, name, { value, writable: false, configurable: false })
}
