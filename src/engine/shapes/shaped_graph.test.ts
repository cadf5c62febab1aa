import { describe, expect, it } from 'vitest'
import { formatVal, read } from '../../fx'
import { createTracer } from '../../trace'
import { shapedGraph, type ShapedGraph } from './shaped_graph'
import type { TypedShapes } from './typed_shapes'

const graph = (...lines: string[]) => read(`graph():\n${lines.map((l) => `    ${l}`).join('\n')}`, 'graph.txt').graph

const shaped = (lines: string[], typed: TypedShapes = {}): ShapedGraph =>
  shapedGraph(graph(...lines), typed, createTracer())

const valOf = ({ graph: g }: ShapedGraph, name: string): string => {
  const { val } = g.find(name)!.meta
  return val ? formatVal(val, { stride: true, device: true }) : ''
}

const MM = [
  '%arg0_1 : [num_users=1] = placeholder[target=arg0_1]',
  '%arg1_1 : [num_users=1] = placeholder[target=arg1_1]',
  '%arg2_1 : [num_users=1] = placeholder[target=arg2_1]',
  '%mm : [num_users=1] = call_function[target=torch.ops.aten.mm.default](args = (%arg0_1, %arg1_1), kwargs = {})',
  '%add : [num_users=1] = call_function[target=torch.ops.aten.add.Tensor](args = (%mm, %arg2_1), kwargs = {})',
  '%relu : [num_users=1] = call_function[target=torch.ops.aten.relu.default](args = (%add,), kwargs = {})',
  'return (relu,)',
]

describe('a print(graph) text', () => {
  it('lists the inputs without a shape and the nodes that depend on them', () => {
    const { shapes, missing } = shaped(MM)
    expect(shapes).toMatchObject({ without: 3, nodes: 6 })
    expect(shapes!.rows.map((r) => r.name)).toEqual(['arg0_1', 'arg1_1', 'arg2_1'])
    expect(missing.get('relu')).toEqual(['arg0_1', 'arg1_1', 'arg2_1'])
  })

  it('says of a call with sizes that no rule expects that there is none', () => {
    const lines = [
      ...MM.slice(0, 1),
      '%pixels : [num_users=1] = call_function[target=torch.ops.aten.pixel_shuffle.default](args = (%arg0_1, 2), kwargs = {})',
      '%dims : [num_users=1] = call_function[target=torch.ops.aten.empty_permuted.default](args = ([3], [5, 4]), kwargs = {})',
      '%diff : [num_users=1] = call_function[target=torch.ops.aten.diff.default](args = (%arg0_1, 1099511627776), kwargs = {})',
      'return (pixels, dims, diff)',
    ]
    const { shapes } = shaped(lines, { arg0_1: 'bf16[48]' })
    const rows = shapes!.rows.filter((r) => r.problem !== null)
    expect(rows.map((r) => r.name)).toEqual(['pixels', 'dims', 'diff'])
  })

  it('computes the rest from given shapes', () => {
    const made = shaped(MM, { arg0_1: 'bf16[48, 256]', arg1_1: 'bf16[256, 64]' })
    expect(valOf(made, 'mm')).toBe('bf16[48, 64][64, 1]cpu')
    expect(valOf(made, 'relu')).toBe('bf16[48, 64][64, 1]cpu')
    // The third follows from the other two by its use, and is marked.
    expect(made.shapes!.rows.map((r) => [r.name, r.typed, r.guess])).toEqual([
      ['arg0_1', 'bf16[48, 256]', null],
      ['arg1_1', 'bf16[256, 64]', null],
      ['arg2_1', null, { text: 'bf16[48, 64]', source: 'arg0_1 and arg1_1', used: true }],
    ])
  })

  it('reports what PyTorch raises for shapes that do not fit', () => {
    const { shapes } = shaped(MM, { arg0_1: 'bf16[48, 256]', arg1_1: 'bf16[128, 64]' })
    expect(shapes!.rows.find((r) => r.name === 'mm')!.problem).toMatch(/RuntimeError: .*\[48, 256\] X \[128, 64\]/)
  })

  it('puts a shape without a device on the one device that the graph names', () => {
    const made = shaped(
      [
        '%x : [num_users=1] = placeholder[target=x]',
        '%full : [num_users=1] = call_function[target=torch.ops.aten.full.default](args = ([4], 1), kwargs = {device: cuda:0})',
        '%mul : [num_users=1] = call_function[target=torch.ops.aten.mul.Tensor](args = (%x, %full), kwargs = {})',
        'return (mul,)',
      ],
      { x: 'f32[4]' },
    )
    expect(valOf(made, 'mul')).toBe('f32[4][1]cuda:0')
    expect(made.shapes!.without).toBe(0)
  })

  it('guesses the result of an undeclared product once for equal calls, and takes a given one', () => {
    const lines = [
      '%x : [num_users=1] = placeholder[target=x]',
      '%w : [num_users=2] = placeholder[target=w]',
      '%a : [num_users=1] = call_function[target=torch.ops.lib.fp8_mm.default](args = (%x, %w), kwargs = {})',
      '%b : [num_users=1] = call_function[target=torch.ops.lib.fp8_mm.default](args = (%a, %w), kwargs = {})',
      '%c : [num_users=1] = call_function[target=torch.ops.lib.fp8_mm.default](args = (%b, %w), kwargs = {})',
      'return (c,)',
    ]
    const inputs = { x: 'bf16[4, 8]', w: 'f8e4m3fn[8, 8]' }
    const made = shaped(lines, inputs)
    expect(valOf(made, 'c')).toBe('bf16[4, 8][8, 1]cpu')
    expect(made.shapes!.rows.filter((r) => r.kind === 'call').map((r) => [r.name, r.guess?.text])).toEqual([
      ['a', 'bf16[4, 8]'],
    ])
    expect(valOf(shaped(lines, { ...inputs, a: 'f16[4, 8]' }), 'a')).toBe('f16[4, 8]')
  })

  it('names a given shape that is not used', () => {
    const { wrong } = shaped(MM, { arg9_1: 'f32[1]', arg0_1: 'f32[', arg1_1: 'float[2]', arg2_1: 'f32[2, 2][1]' })
    expect(wrong.map((w) => w.message)).toEqual([
      '"arg9_1": the graph has no node of this name; its inputs are arg0_1, arg1_1 and arg2_1.',
      '"arg0_1": "f32[" is not a shape; expected bf16[48, 256], with strides and device if wanted: bf16[48, 256][256, 1]cuda:0.',
      '"arg1_1": "float[2]" has an unknown dtype, float; expected bf16[48, 256], with strides and device if wanted: bf16[48, 256][256, 1]cuda:0.',
      '"arg2_1": "f32[2, 2][1]" has 2 sizes and 1 strides.',
    ])
  })
})

it('leaves a graph with shapes as it is', () => {
  const text =
    'class G:\n    def forward(self, x: "f32[4]"):\n        a: "f32[4]" = torch.ops.aten.relu.default(x)\n        return (a,)'
  const { graph: g } = read(text, 'g.py')
  const made = shapedGraph(g, {}, createTracer())
  expect(made.graph).toBe(g)
  expect(made.shapes).toBeNull()
})
