/** Starts boxed processes: this program again, without rights (rights.ts), in which user code runs. */
import { spawn, type ChildProcess } from 'node:child_process'
import { boxedEnvironment, boxedFlags } from './rights'
import { write } from '../output'

/** The purpose of a boxed process: a whole command, or tasks that arrive as messages. */
export type BoxKind = 'command' | 'tasks'

/** A message of a boxed process that lacks Python's memory snapshot, which it may not write itself. */
export const NO_SNAPSHOT = 'no snapshot'

export interface BoxStart {
  /** The program's main file. */
  program: string
  kind: BoxKind
  args: readonly string[]
  /** Paths that it may read. */
  paths: readonly string[]
  /** Without a snapshot, Python starts cold. */
  cold: boolean
  /** Number of stderr characters that an earlier process of the same command printed: this process does not repeat them. */
  said?: number
}

export interface Boxed {
  child: ChildProcess
  /** The number of characters that it printed on stderr. */
  said(): number
}

/** A process whose stdout is this one's, and whose stderr passes `relay`. */
export function startBoxed({ program, kind, args, paths, cold, said = 0 }: BoxStart): Boxed {
  const env = { ...boxedEnvironment(kind), ...(cold && { FUSESCOPE_COLD: '1' }) }
  const child = spawn(process.execPath, [...boxedFlags(paths), program, ...args], {
    stdio: ['ignore', 'inherit', 'pipe', 'ipc'],
    env,
    serialization: 'advanced',
  })
  return { child, said: relay(child, said) }
}

/** The start of V8's dump of its own state, printed if memory ran out or V8 crashed. */
const CRASH = /^(?:<--- Last few GCs|FATAL ERROR:|#$|# Fatal|node:internal\/|----- Native stack trace)/m

/** Passes stderr on from a given character, up to a V8 dump. */
function relay(child: ChildProcess, from: number): () => number {
  let crashed = false
  let said = 0
  child.stderr!.setEncoding('utf8')
  child.stderr!.on('data', (text: string) => {
    if (crashed) return
    const at = text.search(CRASH)
    crashed = at >= 0
    write(2, (crashed ? text.slice(0, at) : text).slice(Math.max(0, from - said)))
    said += text.length
  })
  return () => said
}
