import { expect, test } from 'vitest'
import { read } from '../../fx'
import { outlineViewOf } from '../report/outline_view'
import type { GraphView } from '../report/graph_view'
import { viewOf } from '../report/views'
import { packView, unpackView } from './packed_view'

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
