/**
 * Measures the matcher alone, at scale: the 18 patterns of the recording on vllm_like32 and on chained copies of it
 * (the embedding of each copy is replaced by the last hidden state of the previous one; weights are shared), without
 * observers, with traces warm. PyTorch 2.14.1 took 1.61 s for one copy and 179 s for 37 (recorded on a 2-core machine).
 */
import { clone } from '../src/fx'
import { PatternRegistry } from '../src/matcher'
import { createPythonHost } from '../src/python/host'
import { nodeAssets } from '../src/python/node_assets'
import { createTracer } from '../src/trace'
import { chain, vllmLike32 } from './graphs'
import { median, ms } from './stats'

const PYTORCH_S: Record<number, number> = { 1: 1.614, 7: 13.161, 37: 179.14 }
const RUNS = 9
const RUNS_OF_ONE = 30

const { graph: one, patternPy } = vllmLike32()

const tracer = createTracer()
let registry: PatternRegistry
const host = await createPythonHost({
  assets: nodeAssets(),
  tracer,
  sink: () => registry,
})
registry = new PatternRegistry({
  host: () => host,
  schemaOf: (t) => tracer.schemaOf(t),
  overloadsOf: (p) => tracer.overloadsOf(p),
})
const run = host.run([{ name: 'patterns.py', text: patternPy }])
if (run.failure) throw new Error(run.failure.traceback)
const passId = run.passes[0]!.passId

let perNode = 0
for (const copies of [1, 7, 37]) {
  const graph = chain(one, copies)
  const times: number[] = []
  let count = 0
  const runs = copies === 1 ? RUNS_OF_ONE : RUNS
  for (let i = 0; i < runs + 1; i++) {
    const fresh = clone(graph).graph
    const started = performance.now()
    count = registry.apply(passId, fresh).count
    if (i > 0) times.push(performance.now() - started)
  }
  const apply = median(times)
  const each = (apply / graph.size) * 1000
  perNode ||= each
  console.log(
    `${String(copies).padStart(2)} copies, ${graph.size} nodes: ${count} matches, apply ${ms(apply)}` +
      `, ${each.toFixed(1)} µs a node (${(each / perNode).toFixed(2)} × one copy)` +
      `, PyTorch recorded ${((PYTORCH_S[copies]! * 1000) / apply).toFixed(0)} × ours`,
  )
}
