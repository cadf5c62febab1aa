/**
 * Loads Pyodide with our library and isolates it: one string function in each direction, and no object of the page in
 * Python.
 */
import { loadPyodide } from 'pyodide'
import { CLOSE_DOORS, closeSockets, START } from './boot'
import type { Console } from './console'
import type { PythonAssets } from './types'

const LIB = '/fusescope/lib/'

/**
 * Starts Python. @param receive handles a call from Python @returns Python's entry point: a call as text → its answer
 * as text
 */
export async function startPython(
  assets: PythonAssets,
  output: Console,
  receive: (text: string) => string,
): Promise<(text: string) => string> {
  const pyodide = await loadPyodide({
    indexURL: assets.indexURL,
    jsglobals: Object.create(null) as object,
    stdin: () => null,
  })
  pyodide.setStdout({ write: writer(output, 'stdout') })
  pyodide.setStderr({ write: writer(output, 'stderr') })
  for (const [path, text] of Object.entries(assets.lib)) {
    const folder = (LIB + path).replace(/\/[^/]*$/, '')
    pyodide.FS.mkdirTree(folder)
    pyodide.FS.writeFile(LIB + path, text)
  }
  const connect = pyodide.runPython(START.replace('LIB', LIB)) as (send: (text: string) => string) => unknown
  const entry = (text: string): string => receive(text)
  // Without a prototype, Python cannot reach `Function` through our function, so it cannot compile JavaScript.
  Object.setPrototypeOf(entry, null)
  const handle = connect(entry) as (text: string) => string
  pyodide.runPython(CLOSE_DOORS)
  pyodide.unregisterJsModule('js')
  pyodide.unregisterJsModule('pyodide_js')
  closeSockets((pyodide as unknown as { _module?: Parameters<typeof closeSockets>[0] })._module)
  return handle
}

/** Receives the bytes that Python writes. */
function writer(output: Console, stream: 'stdout' | 'stderr'): (bytes: Uint8Array) => number {
  const decoder = new TextDecoder()
  return (bytes) => {
    output.write(stream, decoder.decode(bytes, { stream: true }))
    return bytes.length
  }
}
