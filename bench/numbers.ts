/**
 * Measures the numeric check of fixes on the flagship example (32 layers, 1,552 nodes): each change below breaks a pattern
 * that fires 32 times, and the search offers fixes that it checked. The budget is 2 s per fix; the longest slice is the
 * longest time in which the worker hears no other request.
 */
import { readFileSync } from 'node:fs'
import type { Workspace } from '../src/workspace/types'
import { Session } from '../src/engine/session/session'
import { nodeAssets } from '../src/python/node_assets'
import { ms } from './stats'

const BUDGET_MS = 2000

const FILE = 'activation_quant_fusion.py'
const BROKEN: readonly { name: string; edits: readonly (readonly [from: string, to: string])[] }[] = [
  { name: 'another constant', edits: [['eps=1e-10', 'eps=1e-9']] },
  {
    name: 'a dropped output',
    edits: [
      ['return result, scale\n\n', 'return result\n\n'],
      [
        'return at[1], at[2]\n\n        register_replacement(pattern, replacement, self.get',
        'return at[1]\n\n        register_replacement(pattern, replacement, self.get',
      ],
    ],
  },
  {
    name: 'another dtype',
    edits: [
      [
        'result = torch.empty(silu_out.shape, device=silu_out.device, dtype=self.quant_dtype)',
        'result = torch.empty(silu_out.shape, device=silu_out.device, dtype=torch.float8_e5m2)',
      ],
    ],
  },
  {
    name: 'swapped constants',
    edits: [
      ['fp8_min=finfo.min', 'fp8_min=finfo.max'],
      ['fp8_max=finfo.max', 'fp8_max=finfo.min'],
    ],
  },
]

const text = readFileSync('public/examples/silu-mul-block-quant/workspace.json', 'utf8')
const session = new Session(nodeAssets())
await session.ready
for (const { name, edits } of BROKEN) {
  const workspace = JSON.parse(text) as Workspace
  const file = workspace.files.find((f) => f.name === FILE)!
  for (const [from, to] of edits) {
    if (!file.text.includes(from)) throw new Error(`no ${from} in ${FILE}`)
    file.text = file.text.replace(from, to)
  }
  const { applyMs } = session.analyze(workspace).report.timings
  for (const _ of session.explain());
  const started = performance.now()
  const search = session.fixes()
  let longest = 0
  for (let at = started; ;) {
    const { done, value } = search.next()
    longest = Math.max(longest, performance.now() - at)
    at = performance.now()
    if (done) break
    for (const { fixes, tried } of value ?? [])
      for (const { title, numbers, numbersDetail: d, matchesAfter } of [...fixes, ...tried])
        console.log(
          `${name.padEnd(18)} check ${ms(d.ms)} of ${BUDGET_MS} ms (${(d.ms / applyMs).toFixed(1)} × apply)   ${numbers.padEnd(9)} ${d.timedOut ? 'time ran out' : `${d.compared} of ${d.kinds} kinds`}   fires ${matchesAfter} times   ${title}`,
        )
  }
  console.log(`${name.padEnd(18)} search ${ms(performance.now() - started)}   longest slice ${ms(longest)}`)
}
