/**
 * Explains the recorded broken fusions and prints how often the first cause is the change that broke them, and for how
 * many a fix is offered. Writes the offered fixes, to be run on PyTorch by broken_fusions/torch_side.py.
 *   npx tsx conformance/fusions.ts [FIXES.jsonl] [--part K/N]
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { type CaseInput, explainCase } from '../src/engine/cases/cases'
import { Interpreter } from '../src/engine/run/interpreter'
import { applyEdits } from '../src/explain/fixes/change'
import { FIX_BUDGET } from '../src/explain/fixes/search_clock'
import { nodeAssets } from '../src/python/node_assets'
import { firstCause } from './labels'

interface BrokenFusion extends CaseInput {
  causes: string[]
}

const [out, , part = '1/1'] = process.argv.slice(2)
const [k, n] = part.split('/').map(Number) as [number, number]
const cases = readFileSync(new URL('broken_fusions/cases.jsonl', import.meta.url), 'utf8')
  .split('\n')
  .filter((l, i) => l !== '' && i % n === k - 1)
  .map((l) => JSON.parse(l) as BrokenFusion)
// The load of the machine must not affect the figures.
Object.assign(FIX_BUDGET, { ms: Infinity, numbersMs: Infinity, checkMs: 10_000 })
const interpreter = await Interpreter.start(nodeAssets())
const fixes: string[] = []
let named = 0
let fixed = 0
let slowest = 0
for (const c of cases) {
  const e = explainCase(interpreter, c, { fixes: true })
  const first = firstCause(e)
  const right = first !== null && c.causes.includes(first.kind)
  if (right) named++
  const causes = [
    ...e.causes,
    ...e.passes.flatMap((p) => [...p.nearMisses.flatMap((m) => m.causes ?? []), ...p.causes]),
  ]
  const offered = causes.flatMap((cause) => cause.fixes ?? [])
  if (offered.length > 0) fixed++
  for (const f of offered) slowest = Math.max(slowest, f.numbersDetail.ms)
  for (const f of offered.filter((o) => o.kind === 'python'))
    fixes.push(
      JSON.stringify({ id: c.id, title: f.title, numbers: f.numbers, pattern_py: applyEdits(c.pattern_py, f.edits) }),
    )
  const fix = offered[0]
  const tried = causes.flatMap((cause) => cause.tried ?? [])[0]
  console.log(
    `${right ? ' ' : '✗'} ${c.id}: ${first?.kind ?? 'no cause'}; ${fix ? `${fix.numbers}: ${fix.title}` : `no fix${tried ? ` (tried: ${tried.title}: ${tried.numbers})` : ''}`}`,
  )
}
const share = (of: number): string => `${of}/${cases.length} (${((100 * of) / cases.length).toFixed(0)} %)`
console.log(`first cause right: ${share(named)}; with an offered fix: ${share(fixed)}; slowest check: ${slowest} ms`)
if (out) writeFileSync(out, fixes.map((l) => `${l}\n`).join(''))
