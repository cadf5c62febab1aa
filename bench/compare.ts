/**
 * Measures the comparison of the llama graph (3,235 nodes) with copies of it under other names, in another order, and with
 * changes in every layer, and the ratio to reading the graph's text.
 * `npx tsx bench/compare.ts`
 */
import { readFileSync } from 'node:fs'
import { compareGraphs } from '../src/explain/compare/changes'
import { disguised } from '../src/explain/compare/testing/disguise'
import { read, type Graph } from '../src/fx'
import { median } from './stats'

const ROUNDS = 7
const text = readFileSync(new URL('../conformance/graphs/llama.readable.txt', import.meta.url), 'utf8')
const graph = read(text, 'llama').graph

function time(run: () => unknown): number {
  const start = performance.now()
  run()
  return performance.now() - start
}

/** A clone after each matrix product, and another constant in each power. */
function edited(): Graph {
  const copy = disguised(graph, 5)
  for (const node of copy.nodes()) {
    if (node.target === 'aten.pow.Tensor_Scalar') node.args = [node.args[0]!, 3n]
    if (!/^aten\.(?:mm|addmm|bmm)\./.test(node.target)) continue
    const made = copy.insertingAfter(node, () => copy.createNode('call_function', 'aten.clone.default', []))
    made.meta = { val: node.meta.val }
    node.replaceAllUsesWith(made)
    made.args = [node]
  }
  return copy
}

const reading = median(Array.from({ length: ROUNDS }, () => time(() => read(text, 'llama'))))
console.log(
  `${'pair'.padEnd(34)}${'ms'.padStart(8)}${'changes'.padStart(10)}${'paired'.padStart(9)}${'of'.padStart(7)}${'ratio to reading'.padStart(18)}`,
)
for (const [name, other] of [
  ['other names, another order', disguised(graph, 3)],
  ['changes in every layer', edited()],
  [
    'half of the graph',
    read(
      text
        .split('\n')
        .slice(0, text.split('\n').length / 2)
        .join('\n'),
      'half',
    ).graph,
  ],
] as const) {
  let found = compareGraphs(graph, other)
  const ms = median(Array.from({ length: ROUNDS }, () => time(() => (found = compareGraphs(graph, other)))))
  console.log(
    `${name.padEnd(34)}${ms.toFixed(0).padStart(8)}${String(found.changes.length).padStart(10)}${String(found.toNew.size).padStart(9)}${String(graph.size).padStart(7)}${(ms / reading).toFixed(1).padStart(18)}`,
  )
}
