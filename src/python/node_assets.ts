import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import { setFlagsFromString } from 'node:v8'
import type { PythonAssets } from './types'

// Node 20 crashes ("unreachable code" in V8's deoptimizer) after some thousand calls from here into Python, once its
// compiler has inlined the call into WebAssembly.
setFlagsFromString('--no-turbo-inline-js-wasm-calls')

const root = fileURLToPath(new URL('./lib', import.meta.url))

/** Loads our Python files and Pyodide's from disk. */
export function nodeAssets(): PythonAssets {
  const lib: Record<string, string> = {}
  for (const entry of readdirSync(root, { recursive: true, encoding: 'utf8' }))
    if (entry.endsWith('.py')) lib[entry.replaceAll('\\', '/')] = readFileSync(join(root, entry), 'utf8')
  return { indexURL: dirname(createRequire(import.meta.url).resolve('pyodide')) + '/', lib }
}
