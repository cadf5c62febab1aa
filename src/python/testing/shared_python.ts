/**
 * Replaces interpreter.ts in tests (vite.config.ts). Python takes seconds to start, and each run resets the user's
 * modules anyway, so a pool assigns an interpreter to a host and releases it after its test or its file
 * (test-setup.ts).
 */
import { Console } from '../console'
import type { Interpreter } from '../start/interpreter'
import type { PythonAssets } from '../types'

class SharedPython {
  /** Receives Python's calls and output for the current host; a console receives the output while there is none. */
  output = new Console()
  receive: (text: string) => string = refuse
  ended = false
  private python: Interpreter = { call: refuse, reset: refuse }

  static async start(assets: PythonAssets): Promise<SharedPython> {
    const shared = new SharedPython()
    const relay = Object.assign(new Console(), {
      writeBytes: (stream: 'stdout' | 'stderr', bytes: Uint8Array) => shared.output.writeBytes(stream, bytes),
    })
    // Most files of a run need no Python, and no Pyodide.
    const { startPython: startReally } = await import('../start/interpreter')
    shared.python = await startReally(assets, relay, (text) => shared.receive(text))
    return shared
  }

  assignTo(output: Console, receive: (text: string) => string): Interpreter {
    this.receive = receive
    this.output = output
    const current = (): Interpreter => {
      if (this.receive !== receive) throw new Error('this host was made for a test that has ended')
      return this.python
    }
    return {
      call: (text) => {
        const python = current()
        try {
          return python.call(text)
        } catch (e) {
          // Answers, including Python's exceptions, are text; anything thrown here means that the interpreter terminated.
          this.ended = true
          throw e
        }
      },
      reset: () => current().reset(),
    }
  }

  /** Restores the state after the start. */
  release(): void {
    this.receive = refuse
    this.output = new Console()
    this.python.reset()
  }
}

function refuse(): never {
  throw new Error('Python is not assigned to a host')
}

const idle: SharedPython[] = []
const assigned: SharedPython[] = []

/** The same interface as interpreter.ts. */
export async function startPython(
  assets: PythonAssets,
  output: Console,
  receive: (text: string) => string,
): Promise<Interpreter> {
  const python = idle.pop() ?? (await SharedPython.start(assets))
  assigned.push(python)
  return python.assignTo(output, receive)
}

/** Number of hosts with Python. */
export const assignedPythonCount = (): number => assigned.length

/** Releases Python from all hosts except the `first` ones; the released hosts end. */
export function releasePython(first = 0): void {
  for (const python of assigned.splice(first)) {
    if (python.ended) continue
    python.release()
    idle.push(python)
  }
}
