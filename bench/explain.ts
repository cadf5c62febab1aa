/**
 * Measures explaining after the match: the 18 patterns of the 32-layer recording, on a graph where they fire (their
 * own) and on one where none fires (a llama of 32 layers). The budget is 500 ms in the worker, in slices between which
 * it may stop; the ratio is to applying the same patterns in the same run.
 */
import { readFileSync } from 'node:fs'
import { Session } from '../src/engine/session/session'
import { nodeAssets } from '../src/python/node_assets'
import { median, ms } from './stats'

const RUNS = 9
const BUDGET_MS = 500

const line = readFileSync('conformance/cases/vllm_like32.public.jsonl', 'utf8').split('\n')[0]!
const { pattern_py: python } = JSON.parse(line) as { pattern_py: string }

const session = new Session(nodeAssets())
await session.ready
for (const name of ['vllm_like32', 'llama']) {
  const text = readFileSync(`conformance/graphs/${name}.readable.txt`, 'utf8')
  const times: number[] = []
  const slices: number[] = []
  let apply = 0
  let misses = 0
  for (let run = 0; run < RUNS; run++) {
    const { report } = session.analyze({
      name: 'bench',
      graph: { name: `${name}.readable.txt`, text },
      files: [{ name: 'patterns.py', text: python }],
      options: { timeLimitS: 60 },
    })
    apply = report.timings.applyMs
    const started = performance.now()
    const explaining = session.explain()
    let longest = 0
    for (let at = started; ;) {
      const { done, value } = explaining.next()
      longest = Math.max(longest, performance.now() - at)
      at = performance.now()
      if (!done) continue
      misses = value.reduce((n, p) => n + p.nearMisses.length, 0)
      break
    }
    times.push(performance.now() - started)
    slices.push(longest)
  }
  const time = median(times)
  console.log(
    `${name.padEnd(12)} explain ${ms(time)} of ${BUDGET_MS} ms   longest slice ${ms(median(slices))}   apply ${ms(apply)} (${(time / apply).toFixed(1)} ×)   ${misses} near misses`,
  )
}
