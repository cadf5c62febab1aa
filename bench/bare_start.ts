/** The baseline of times on one machine: a bare Pyodide in a process of its own. */
import { spawnSync } from 'node:child_process'

const START = `import { loadPyodide } from 'pyodide'
;(await loadPyodide()).runPython('1 + 1')`

/** Time from the start of Node to the value of one expression, in ms. */
export function bareStart(): number {
  const begun = performance.now()
  const made = spawnSync(process.execPath, ['--input-type=module', '--eval', START], { encoding: 'utf8' })
  if (made.status !== 0) throw new Error(made.stderr)
  return performance.now() - begun
}
