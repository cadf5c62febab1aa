/** Starts Python and isolates it: one string function in each direction, and no object of the page in Python. */
import { CLOSE_DOORS, closeSockets, CONNECT } from './boot'
import type { Console } from '../console'
import { loadPython } from './load'
import type { PythonAssets } from '../types'
import { World, type PyodideModule } from './world'

export interface Interpreter {
  /** Python's entry point: a call as text → its answer as text. */
  call(text: string): string
  /** Returns Python to its state after the start (memory, files, timers), in milliseconds. */
  reset(): void
}

/** @param receive handles a call from Python */
export async function startPython(
  assets: PythonAssets,
  output: Console,
  receive: (text: string) => string,
): Promise<Interpreter> {
  const { pyodide, spare } = await loadPython(assets)
  pyodide.setStdout({ write: writer(output, 'stdout') })
  pyodide.setStderr({ write: writer(output, 'stderr') })
  const connect = pyodide.runPython(CONNECT) as (send: (text: string) => string) => unknown
  const handle = connect(opaque((text) => receive(typeof text === 'string' ? text : ''))) as (text: string) => string
  pyodide.unregisterJsModule('js')
  pyodide.unregisterJsModule('pyodide_js')
  const closeDoors = pyodide.runPython(CLOSE_DOORS) as () => void
  closeDoors()
  const module = (pyodide as unknown as { _module: PyodideModule })._module
  closeSockets(module)
  const world = new World(module, assets, spare)
  let fresh = true
  return {
    call: (text) => {
      fresh = false
      return handle(text)
    },
    reset: () => {
      if (!fresh) world.restore()
      fresh = true
    },
  }
}

/**
 * A function that can only be called: without prototype and properties, Python cannot reach `Function` through it and so cannot
 * compile JavaScript. It keeps no state between runs, and no access raises a JavaScript error.
 */
function opaque<F extends (text: unknown) => string>(call: F): F {
  return new Proxy(Object.setPrototypeOf(call, null) as F, {
    get: () => undefined,
    set: () => true,
    has: () => false,
    deleteProperty: () => true,
    defineProperty: () => true,
    ownKeys: () => [],
    getOwnPropertyDescriptor: () => undefined,
  })
}

/** Receives the bytes that Python writes. */
function writer(output: Console, stream: 'stdout' | 'stderr'): (bytes: Uint8Array) => number {
  return (bytes) => {
    output.writeBytes(stream, bytes)
    return bytes.length
  }
}
