import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import type { PythonAssets } from './types'

const root = fileURLToPath(new URL('./lib', import.meta.url))

/** Our Python files and Pyodide's, from the disk. */
export function nodeAssets(): PythonAssets {
  const lib: Record<string, string> = {}
  for (const entry of readdirSync(root, { recursive: true, encoding: 'utf8' }))
    if (entry.endsWith('.py')) lib[entry.replaceAll('\\', '/')] = readFileSync(join(root, entry), 'utf8')
  return { indexURL: dirname(createRequire(import.meta.url).resolve('pyodide')) + '/', lib }
}
