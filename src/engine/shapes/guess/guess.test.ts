import { expect, it } from 'vitest'
import { read } from '../../../fx'
import { createTracer } from '../../../trace'
import { shapedGraph } from '../shaped_graph'
import type { TypedShapes } from '../typed_shapes'
import { guessShapes } from './guess'

const LINES = [
  '%x : [num_users=1] = placeholder[target=x]',
  '%w : [num_users=1] = placeholder[target=w]',
  '%b : [num_users=1] = placeholder[target=b]',
  '%g : [num_users=1] = placeholder[target=g]',
  '%mm : [num_users=1] = call_function[target=torch.ops.aten.mm.default](args = (%x, %w), kwargs = {})',
  '%add : [num_users=1] = call_function[target=torch.ops.aten.add.Tensor](args = (%mm, %b), kwargs = {})',
  '%view : [num_users=1] = call_function[target=torch.ops.aten.reshape.default](args = (%add, [8, 6, 64]), kwargs = {})',
  '%layer_norm : [num_users=1] = call_function[target=torch.ops.aten.native_layer_norm.default](args = (%view, [64], %g, None, 1e-05), kwargs = {})',
  '%getitem : [num_users=1] = call_function[target=operator.getitem](args = (%layer_norm, 0), kwargs = {})',
  'return (getitem,)',
]
const graph = () => read(`graph():\n${LINES.map((l) => `    ${l}`).join('\n')}`, 'graph.txt').graph
const guesses = (): [string, string, string][] => {
  const g = graph()
  const inputs = [...g.nodes()].filter((n) => n.op === 'placeholder')
  const found = guessShapes(g, inputs, { dtype: ['bfloat16', 'the environment’s dtype'] })
  return [...found].map(([name, { text, source }]) => [name, text, source])
}

it('guesses from the sizes that the graph has', () => {
  expect(guesses()).toEqual([['g', 'bf16[64]', 'the sizes of view and the environment’s dtype']])
})

it('completes inputs that follow from given shapes, and marks them', () => {
  const given: TypedShapes = { x: 'bf16[48, 256]', w: 'bf16[256, 64]' }
  const { shapes } = shapedGraph(graph(), given, createTracer())
  expect(shapes!.rows.map((r) => [r.name, r.typed, r.guess?.text, r.guess?.used])).toEqual([
    ['x', 'bf16[48, 256]', undefined, undefined],
    ['w', 'bf16[256, 64]', undefined, undefined],
    ['b', null, 'bf16[48, 64]', true],
    ['g', null, 'bf16[64]', true],
  ])
  expect(shapes!.without).toBe(0)
})

it('leaves a shape open whose sizes do not all follow', () => {
  const { shapes } = shapedGraph(graph(), { x: 'bf16[48, 256]' }, createTracer())
  expect(shapes!.rows.filter((r) => r.guess?.used).map((r) => r.name)).toEqual(['g'])
  expect(shapes!.without).toBe(2)
})
