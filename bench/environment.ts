/**
 * Measures a switch of the environment with Python warm: vLLM's activation and quantization pass registers again and is
 * matched on the 32-layer graph. The ratio is to the same analysis without a switch, in the same run.
 */
import { readFileSync } from 'node:fs'
import { Session } from '../src/engine/session/session'
import { nodeAssets } from '../src/python/node_assets'
import { DEFAULT_ENVIRONMENT, type Platform, type Workspace } from '../src/workspace/types'
import { median, ms, quantile } from './stats'

const SWITCHES = 24
const PLATFORMS: readonly Platform[] = ['cuda-sm90', 'cpu', 'cuda-sm100', 'rocm']

const text = (path: string): string => readFileSync(path, 'utf8')
const on = (platform: Platform): Workspace => ({
  name: 'bench',
  graph: { name: 'vllm_like32.readable.txt', text: text('conformance/graphs/vllm_like32.readable.txt') },
  files: [{ name: 'act_quant_fusion.py', text: text('src/python/testing/act_quant_fusion.py') }],
  environment: { ...DEFAULT_ENVIRONMENT, platform },
  options: { timeLimitS: 60 },
})

const session = new Session(nodeAssets())
await session.ready
for (const platform of PLATFORMS) {
  const { passes } = session.analyze(on(platform)).report
  console.log(`${platform.padEnd(11)} ${passes[0]!.entries.length} patterns, ${passes[0]!.count} matches`)
}

const timed = (platform: Platform): number => {
  const started = performance.now()
  session.analyze(on(platform))
  return performance.now() - started
}
const switched: number[] = []
const stayed: number[] = []
for (let i = 0; i < SWITCHES; i++) {
  timed(PLATFORMS[1 + (i % 3)]!)
  switched.push(timed('cuda-sm90'))
  stayed.push(timed('cuda-sm90'))
}
const [p50, p95] = [quantile(switched, 0.5), quantile(switched, 0.95)]
console.log(
  `switch to cuda-sm90: p50 ${ms(p50)}  p95 ${ms(p95)}  ${(p50 / median(stayed)).toFixed(2)} × without a switch`,
)
