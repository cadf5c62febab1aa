/** The joint graph of small functions; conformance/cases/joint.jsonl compares whole patterns with PyTorch. */
import { describe, expect, test } from 'vitest'
import { printGraph, type TensorMeta } from '../../fx'
import type { FakeTensor } from '../../ops/fake'
import { createTracer, type TracerImpl } from '../tracer'

const meta = (shape: number[], requiresGrad = true): TensorMeta => ({
  kind: 'tensor',
  dtype: 'float32',
  shape,
  stride: null,
  device: null,
  requiresGrad,
})

function joint(inputs: TensorMeta[], fn: (t: TracerImpl, ...xs: FakeTensor[]) => FakeTensor): string[] {
  const tracer = createTracer()
  const given = tracer.begin(
    inputs.map((val, i) => ({ name: `x${i}`, val })),
    { joint: true },
  )
  const graph = tracer.end(fn(tracer, ...given))
  return printGraph(graph)
    .split('\n')
    .slice(1)
    .map((line) => line.trim().replace(/ : \[num_users=\d+\] = \w+\[target=(torch\.ops\.)?([\w.]+)\]/, ' = $2'))
}

const call = (t: TracerImpl, name: string, ...args: (FakeTensor | bigint)[]): FakeTensor =>
  t.call(name, args) as FakeTensor

describe('joint trace', () => {
  test('runs the formula of the last argument first, and sums over broadcast dimensions', () => {
    expect(joint([meta([4, 8]), meta([8])], (t, x, b) => call(t, 'aten.mul.Tensor', x!, b!))).toEqual([
      '%primals_1 = primals_1',
      '%primals_2 = primals_2',
      '%tangents_1 = tangents_1',
      '%mul = aten.mul.Tensor(args = (%primals_1, %primals_2), kwargs = {})',
      '%mul_1 = aten.mul.Tensor(args = (%tangents_1, %primals_1), kwargs = {})',
      '%mul_2 = aten.mul.Tensor(args = (%tangents_1, %primals_2), kwargs = {})',
      '%sum_1 = aten.sum.dim_IntList(args = (%mul_1, [0], True), kwargs = {})',
      '%view = aten.view.default(args = (%sum_1, [8]), kwargs = {})',
      'return [mul, mul_2, view]',
    ])
  })

  test('adds the gradients of two uses in the order in which the engine reaches them', () => {
    const lines = joint([meta([4])], (t, x) => {
      const sin = call(t, 'aten.sin.default', x!)
      return call(t, 'aten.add.Tensor', sin, call(t, 'aten.exp.default', x!))
    })
    expect(lines.slice(-5)).toEqual([
      '%mul = aten.mul.Tensor(args = (%tangents_1, %exp), kwargs = {})',
      '%cos = aten.cos.default(args = (%primals_1,), kwargs = {})',
      '%mul_1 = aten.mul.Tensor(args = (%tangents_1, %cos), kwargs = {})',
      '%add_1 = aten.add.Tensor(args = (%mul, %mul_1), kwargs = {})',
      'return [add, add_1]',
    ])
  })

  test('returns None for an input without a gradient, and stops at detach', () => {
    const lines = joint([meta([4]), meta([4], false)], (t, x, y) =>
      call(t, 'aten.add.Tensor', call(t, 'aten.mul.Tensor', x!, y!), call(t, 'aten.detach.default', x!)),
    )
    expect(lines.slice(-2)).toEqual([
      '%mul_1 = aten.mul.Tensor(args = (%tangents_1, %primals_2), kwargs = {})',
      'return [add, mul_1, None]',
    ])
  })

  test('replaces an in-place call by the functional one', () => {
    const lines = joint([meta([4])], (t, x) => {
      const sin = call(t, 'aten.sin.default', x!)
      call(t, 'aten.mul_.Tensor', sin, 2n)
      return sin
    })
    expect(lines).toContain('%mul = aten.mul.Tensor(args = (%sin, 2), kwargs = {})')
    expect(lines.at(-1)).toBe('return [mul, mul_2]')
  })

  test('refuses what it cannot differentiate', () => {
    expect(() => joint([meta([4, 4])], (t, x) => call(t, 'aten.linalg_inv_ex.default', x!))).toThrow()
    expect(() => joint([meta([4], false)], (t, x) => call(t, 'aten.sin.default', x!))).toThrow('gm was not set')
  })
})
