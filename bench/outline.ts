/**
 * Measures the outline, as the app reads it, of vllm_like32 and of chained copies of it: the first call of the process on
 * the largest graph, then the median. Goal: 300 ms at 50,000 nodes on two cores.
 */
import { indexedOutlineOf } from '../src/fx'
import { chain, vllmLike32 } from './graphs'
import { median, ms } from './stats'

const { graph: one } = vllmLike32()
for (const copies of [37, 7, 1]) {
  const graph = chain(one, copies)
  const times: number[] = []
  let found = ''
  for (let i = 0; i < 8; i++) {
    const started = performance.now()
    const groups = indexedOutlineOf(graph)
    times.push(performance.now() - started)
    found = groups
      .slice(0, 2)
      .map((g) => `${g.times} × ${g.nodes}`)
      .join(', ')
  }
  const [first, ...rest] = times
  console.log(`${graph.size} nodes: ${found}; first ${ms(first!)}, then ${ms(median(rest))}`)
}
