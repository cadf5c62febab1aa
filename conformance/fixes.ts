/**
 * Counts the verified fixes for recorded cases that have a `perturbation` and do not fire, by kind of the first cause,
 * and checks that each fix, once applied, fires as often as it promises.
 *   npx tsx conformance/fixes.ts FILE.jsonl…
 */
import { readFileSync } from 'node:fs'
import { type CaseInput, explainCase, matchCase } from '../src/engine/cases/cases'
import { Interpreter } from '../src/engine/run/interpreter'
import { applyEdits } from '../src/explain/fixes/change'
import { nodeAssets } from '../src/python/node_assets'

/** Causes that no edit of the pattern can or should fix. */
const NOT_THE_PATTERN = new Set([
  'extra_check',
  'extra_check_raises',
  'stream',
  'mempool',
  'mutation_region',
  'not_registered',
  'root_absent',
  'literal_view',
  'sdpa',
])

const interpreter = await Interpreter.start(nodeAssets())
const kinds = new Map<string, { all: number; fixed: number; python: number }>()
let all = 0
let fixed = 0
for (const f of process.argv.slice(2))
  for (const line of readFileSync(f, 'utf8').split('\n')) {
    if (!line.trim()) continue
    const d = JSON.parse(line) as CaseInput & {
      perturbation?: string[]
      expected: { passes?: { count?: number }[] }
    }
    const labels = (d.perturbation ?? []).filter((l) => l !== 'exact' && l !== 'none')
    const fired = (d.expected.passes ?? []).reduce((s, p) => s + (p.count ?? 0), 0)
    if (labels.length === 0 || fired > 0 || labels.every((l) => NOT_THE_PATTERN.has(l))) continue
    const started = performance.now()
    const e = explainCase(interpreter, d, { fixes: true })
    const ms = performance.now() - started
    const causes = [
      ...e.causes,
      ...e.passes.flatMap((p) => p.nearMisses.flatMap((m) => m.causes ?? [])),
      ...e.passes.flatMap((p) => p.causes),
    ]
    const first = causes[0]
    const fixes = causes.flatMap((c) => c.fixes ?? [])
    for (const fix of fixes) {
      if (fix.kind !== 'python') continue
      const text = applyEdits(d.pattern_py, fix.edits)
      const now = matchCase(interpreter, { ...d, pattern_py: text }).passes.reduce((s, p) => s + (p.count ?? 0), 0)
      if (now < fix.matchesAfter)
        console.log(`${d.id}: ${fix.title} was to fire ${fix.matchesAfter} times, fires ${now}`)
    }
    const kind = first?.kind ?? 'none'
    const row = kinds.get(kind) ?? { all: 0, fixed: 0, python: 0 }
    kinds.set(kind, row)
    row.all++
    all++
    if (fixes.length > 0) {
      fixed++
      row.fixed++
      if (fixes.some((x) => x.kind === 'python')) row.python++
    }
    const told = fixes[0]
      ? `${fixes[0].kind}: ${fixes[0].title} (${fixes[0].matchesBefore} → ${fixes[0].matchesAfter})`
      : 'NO FIX'
    console.log(
      `${d.id} [${labels}] ${kind}: ${told}  ${ms.toFixed(0)} ms${fixes[0] ? '' : `\n      ${causes.map((c) => `${c.kind}: ${c.sentence.slice(0, 150)}`).join('\n      ')}`}`,
    )
  }
console.log(
  [...kinds]
    .sort()
    .map(([k, r]) => `${k}: ${r.fixed}/${r.all} (${r.python} in Python)`)
    .join('\n'),
)
console.log(`verified fixes: ${fixed}/${all} (${((100 * fixed) / all).toFixed(1)} %)`)
