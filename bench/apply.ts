/**
 * Measures one keystroke in the engine, without the browser: the 16 block-quant variants and the static pattern on the
 * 32-layer graph, with Python warm. PyTorch took 0.678 s to apply the same 17 patterns to the same graph (recorded on a
 * 2-core machine with PyTorch 2.14.1, CPU). Because machines differ, the ratio is to Fusescope's own parse of the same
 * text in the same run.
 */
import { readFileSync } from 'node:fs'
import { Session } from '../src/engine/session/session'
import { printGraph, read } from '../src/fx'
import { nodeAssets } from '../src/python/node_assets'
import type { Workspace } from '../src/workspace/types'
import { median, ms } from './stats'

const PYTORCH_APPLY_S = 0.678
const RUNS = 15

const line = readFileSync('conformance/cases/vllm_like32.public.jsonl', 'utf8').split('\n')[0]!
const { pattern_py: python, graph, readable } = JSON.parse(line) as Record<'pattern_py' | 'graph' | 'readable', string>
const workspace: Workspace = {
  name: 'bench',
  graph: { name: 'vllm_like32.readable.txt', text: readable },
  // The recording's source continues with a native RMSNorm pattern; the 17 patterns end before it.
  files: [{ name: 'patterns.py', text: python.slice(0, python.indexOf('def search_rms')) }],
  options: { timeLimitS: 60 },
}

const session = new Session(nodeAssets())
await session.ready
const runs = Array.from({ length: RUNS }, () => session.analyze(workspace).report).slice(3)
const [first] = runs
console.log(`matches ${first!.passes[0]!.count} of 32, attempts ${first!.passes[0]!.attempts.length}`)
const apply = median(runs.map((r) => r.timings.applyMs))
const pythonMs = median(runs.map((r) => r.timings.pythonMs))
const total = median(runs.map((r) => r.timings.totalMs))

const parses = Array.from({ length: RUNS }, () => {
  const started = performance.now()
  printGraph(read(graph, 'graph.txt').graph)
  return performance.now() - started
})
const parse = median(parses)
console.log(
  `apply            ${ms(apply)}   ${(apply / parse).toFixed(1)} × read and print of the same graph (${ms(parse)})`,
)
console.log(`PyTorch, recorded ${ms(PYTORCH_APPLY_S * 1000)}   ${((PYTORCH_APPLY_S * 1000) / apply).toFixed(1)} × ours`)
console.log(`register (Python) ${ms(pythonMs)}`)
console.log(`whole analysis   ${ms(total)}`)
