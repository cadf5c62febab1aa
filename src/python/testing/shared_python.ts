/**
 * Stands in for interpreter.ts in tests (vite.config.ts). Python takes seconds to start, and each run begins a new user
 * world anyway: so an interpreter is lent to a host, taken back after its test or its file (test-setup.ts), and lent again.
 */
import { Console } from '../console'
import { startPython as startReally } from '../interpreter'
import type { PythonAssets } from '../types'

class SharedPython {
  /** What the borrower hears of Python; a console takes what comes while nobody has borrowed it. */
  output = new Console()
  receive: (text: string) => string = refuse
  ended = false
  private handle: (text: string) => string = refuse

  static async start(assets: PythonAssets): Promise<SharedPython> {
    const shared = new SharedPython()
    const relay = Object.assign(new Console(), {
      write: (stream: 'stdout' | 'stderr', text: string) => shared.output.write(stream, text),
    })
    shared.handle = await startReally(assets, relay, (text) => shared.receive(text))
    return shared
  }

  lendTo(output: Console, receive: (text: string) => string): (text: string) => string {
    this.receive = receive
    this.output = output
    return (text) => {
      if (this.receive !== receive) throw new Error('this host was made for a test that has ended')
      try {
        return this.handle(text)
      } catch (e) {
        // Answers come as text, Python's exceptions too: this is the end of the interpreter.
        this.ended = true
        throw e
      }
    }
  }

  /** As it was when it had just started. */
  takeBack(): void {
    this.receive = refuse
    this.output = new Console()
    this.handle(JSON.stringify(['places', false]))
  }
}

function refuse(): never {
  throw new Error('Python is lent to nobody')
}

const idle: SharedPython[] = []
const lent: SharedPython[] = []

/** As interpreter.ts has it. */
export async function startPython(
  assets: PythonAssets,
  output: Console,
  receive: (text: string) => string,
): Promise<(text: string) => string> {
  const python = idle.pop() ?? (await SharedPython.start(assets))
  lent.push(python)
  return python.lendTo(output, receive)
}

/** How many hosts have Python. */
export const lentPython = (): number => lent.length

/** Takes Python back from all hosts but the `first` ones: those hosts end. */
export function takePythonBack(first = 0): void {
  for (const python of lent.splice(first)) {
    if (python.ended) continue
    python.takeBack()
    idle.push(python)
  }
}
