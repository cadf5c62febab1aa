/**
 * Traces recorded calls again and compares the results:
 *   npx tsx conformance/calls.ts FILE.jsonl [--all]
 * FILE is an output of record_python_calls.py. Prints the calls that differ, then a total.
 */
import { readFileSync } from 'node:fs'
import { define, recorded, traced, type Call } from '../src/python/testing/recorded_calls'
import { start } from '../src/python/testing/start'

const read = (path: string): Call[] =>
  readFileSync(path, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Call)

const py = await start()
let differing = 0
for (const path of process.argv.slice(2)) {
  const calls = read(path)
  const functions = define(py, calls)
  let agreed = 0
  for (const [i, c] of calls.entries()) {
    const [want, got] = [recorded(c), traced(py, c, functions[i]!)]
    const parts = (['error', 'graph', 'vals'] as const).filter(
      (k) => JSON.stringify(want[k]) !== JSON.stringify(got[k]),
    )
    if (parts.length === 0) {
      agreed++
      continue
    }
    console.log(`${c.inputs.join(' ')} | ${c.py.join(' ;; ')}`)
    const part = parts[0] === 'graph' && parts.includes('error') ? 'error' : parts[0]!
    const show = (side: Pick<Call, 'graph' | 'vals' | 'error'>): string =>
      side.error ?? (part === 'vals' ? JSON.stringify(side.vals) : side.graph!.trim())
    console.log(`  expected ${show(want)}\n  found    ${show(got)}`)
  }
  differing += calls.length - agreed
  console.log(`${path}: ${agreed} of ${calls.length} agree`)
}
process.exitCode = differing > 0 ? 1 : 0
