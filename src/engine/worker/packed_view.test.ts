import { expect, test } from 'vitest'
import { read } from '../../fx'
import { outlineViewOf } from '../report/outline_view'
import type { GraphView } from '../report/graph_view'
import { viewOf } from '../report/views'
import { nodeSteps, packView, unpackView } from './packed_view'

const sent = (view: GraphView): GraphView => unpackView(structuredClone(packView(view)))

function layers(): GraphView {
  const lines = ['%x : bf16[8, 16] = placeholder[target=x]']
  let last = 'x'
  for (let i = 0; i < 6; i++) {
    const ops: [string, string][] = [
      ['relu', `(%${last},)`],
      ['add', `(%relu_${i}, %${last})`],
      ['mul', `(%add_${i}, 2.5)`],
      ['sum', `(%mul_${i}, [-1], True)`],
      ['sub', `(%mul_${i}, %sum_${i})`],
    ]
    for (const [op, args] of ops)
      lines.push(
        `%${op}_${i} : [num_users=1] = call_function[target=torch.ops.aten.${op}.default](args = ${args}, kwargs = {dtype: torch.float32})`,
      )
    last = `sub_${i}`
  }
  const { graph, problems } = read(`graph():\n${lines.map((l) => `    ${l}\n`).join('')}    return (${last},)`, 'g.txt')
  return { ...viewOf(graph, problems), outline: outlineViewOf(graph) ?? [] }
}

test('unpacks what was packed', () => {
  const view = layers()
  expect(view.nodes.length).toBe(32)
  expect(view.outline!.length).toBeGreaterThan(0)
  const [first] = view.nodes
  first!.meta = [['meta["stream"]', "'a'"]]
  first!.source = { file: 'act.py', line: 4 }
  expect(sent(view)).toEqual(view)
})

test('keeps empty arguments, and an empty graph', () => {
  const view = layers()
  const nodes = [
    { ...view.nodes[0]!, name: 'x', args: [''], kwargs: [['k', '']] as [string, string][], inputs: [], users: [] },
  ]
  expect(sent({ nodes, problems: [] })).toEqual({ nodes, problems: [] })
  expect(sent({ nodes: [], problems: [] })).toEqual({ nodes: [], problems: [] })
})

test('makes the nodes in steps, and the rest of them when they are read', () => {
  const view = layers()
  view.nodes[31]!.meta = [['meta["stream"]', "'a'"]]
  for (const done of [0, 1, 3, 99]) {
    const unpacked = sent(view)
    const steps = nodeSteps(unpacked, 10)
    // The texts, then 10, 10, 10 and 2 nodes.
    expect(steps).toHaveLength(5)
    for (const step of steps.slice(0, done)) step()
    expect(unpacked).toEqual(view)
    for (const step of steps) step()
    expect(unpacked).toEqual(view)
  }
  expect(nodeSteps({ nodes: [], problems: [] }, 10)).toEqual([])
})
