/**
 * Measures how often the first cause of the first explanation agrees with a recording's `perturbation` label, over the
 * labeled cases with a copy that does not fire. Prints the differing cases, the share and the confusion table by file;
 * cases in which an unchanged copy does not fire either are counted separately.
 *   npx tsx conformance/explain.ts FILE.jsonl…
 */
import { basename } from 'node:path'
import { Interpreter } from '../src/engine/run/interpreter'
import { nodeAssets } from '../src/python/node_assets'
import { judge, type Judged } from './labels'

const interpreter = await Interpreter.start(nodeAssets())
const share = (of: readonly Judged[]): string => {
  const named = of.filter((j) => j.named).length
  return `${named}/${of.length} (${((100 * named) / Math.max(1, of.length)).toFixed(1)} %)`
}
const all: Judged[] = []
for (const file of process.argv.slice(2)) {
  const mine = [...judge(interpreter, file)]
  all.push(...mine)
  for (const j of mine.filter((m) => !m.named)) {
    const misses = j.explanation.passes.flatMap((p) => p.nearMisses)
    console.log(
      `${j.id} [${j.labels.join()}]${j.unchangedFails ? ' (an unchanged copy fails too)' : ''} → ${j.first?.kind ?? 'none'}: ${j.first?.sentence.slice(0, 220) ?? ''}`,
    )
    for (const m of misses.slice(0, 4))
      console.log(
        `    ${m.score}/${m.of} ×${m.count} ${m.anchors[0]}: ${(m.causes ?? []).map((c) => c.kind).join(', ')}`,
      )
  }
  const table = new Map<string, number>()
  for (const j of mine) {
    const key = `${j.labels.filter((l) => l !== 'exact').join('+')} → ${j.first?.kind ?? 'none'}${j.named ? '' : j.unchangedFails ? '  (unchanged copy fails)' : '  ✗'}`
    table.set(key, (table.get(key) ?? 0) + 1)
  }
  console.log(
    `\n${basename(file)}: ${share(mine)}; where unchanged copies fire ${share(mine.filter((j) => !j.unchangedFails))}`,
  )
  for (const [key, count] of [...table].sort()) console.log(`  ${String(count).padStart(3)}  ${key}`)
}
console.log(`\nall: ${share(all)}; where unchanged copies fire ${share(all.filter((j) => !j.unchangedFails))}`)
