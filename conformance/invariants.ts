/**
 * Checks every rewrite of the recorded cases and of the examples for violations, and compares with runs of the graphs
 * on PyTorch (invariants.json, by record_invariants.py).
 *   npx tsx conformance/invariants.ts
 * Prints each case that differs, then the number of checked cases. Exit status 1 if any differs.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { EXAMPLE_IDS, exampleWorkspace } from '../scripts/examples'
import { type CaseInput, matchCase } from '../src/engine/cases/cases'
import { Interpreter } from '../src/engine/run/interpreter'
import type { Violation } from '../src/engine/protocol'
import { createSession } from '../src/engine/session/session'
import { nodeAssets } from '../src/python/node_assets'
import { graphsOf } from '../src/workspace/graphs'

/** PyTorch's result for a pass: the keys are the violated invariants. */
type Judged = Partial<Record<'values' | 'alias' | 'mutation' | 'order', unknown>>

const here = new URL('.', import.meta.url).pathname
const judged = JSON.parse(readFileSync(join(here, 'invariants.json'), 'utf8')) as Record<string, Record<string, Judged>>

/** `output` and `metadata` both mean that values changed. */
const kindOf = (v: Violation): keyof Judged => (v.kind === 'output' || v.kind === 'metadata' ? 'values' : v.kind)
const kinds = (found: Iterable<string>): string => [...new Set(found)].sort().join(', ') || 'nothing'

let differing = 0
let rewrites = 0
let compared = 0
let broken = 0
const interpreter = await Interpreter.start(nodeAssets())
const cases = readdirSync(join(here, 'cases'))
  .flatMap((f) => readFileSync(join(here, 'cases', f), 'utf8').split('\n'))
  .filter((line) => line.trim() !== '')
for (const line of cases) {
  const input = JSON.parse(line) as CaseInput
  for (const pass of matchCase(interpreter, input).passes) {
    rewrites += pass.count ?? 0
    if (pass.violations) broken++
    const truth = judged[input.id]
    if (!truth) continue
    compared++
    const ours = kinds((pass.violations ?? []).map(kindOf))
    const theirs = kinds(Object.keys(truth[pass.pass] ?? {}))
    if (ours === theirs) continue
    differing++
    console.log(`${input.id} ${pass.pass}: broke ${ours}, in PyTorch ${theirs}`)
  }
}
console.log(`${cases.length} cases: ${rewrites} rewrites checked, ${broken} passes broke something`)
console.log(`${compared} passes compared with PyTorch, ${differing} differ`)

const session = createSession(nodeAssets())
await session.ready
let graphs = 0
let ofExamples = 0
for (const id of EXAMPLE_IDS) {
  const workspace = exampleWorkspace(id)
  for (const { shapes, ...graph } of graphsOf(workspace)) {
    const { report } = session.analyze({ ...workspace, graphs: undefined, graph, ...(shapes && { shapes }) })
    graphs++
    for (const pass of report.passes) {
      ofExamples += pass.count
      for (const v of pass.violations ?? []) {
        differing++
        console.log(`example ${id}, ${graph.name}, ${pass.name}: ${v.sentence}`)
      }
    }
  }
}
console.log(`${EXAMPLE_IDS.length} examples, ${graphs} graphs: ${ofExamples} rewrites checked`)
process.exitCode = differing > 0 ? 1 : 0
