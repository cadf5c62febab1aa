/** Compares `x[:, i, j]` with adjacent index tensors to the equivalent view. */
import { describe, expect, it } from 'vitest'
import { tensor } from '../testing/fixtures'
import { runPrograms } from '../run/run'
import type { RunNode, RunPrograms, RunReport, RunValue } from '../types'

const node = (name: string, target: string, args: RunValue[], kwargs: Record<string, RunValue> = {}): RunNode => ({
  name,
  target,
  args,
  kwargs,
  meta: null,
})
const iota = (name: string, start: number): RunNode => node(name, 'prims.iota.default', [4], { start, step: 1 })
const run = (programs: RunPrograms): Promise<RunReport> =>
  runPrograms(programs, { device: 'reference' }, () => undefined, new AbortController().signal)

/** The diagonal of the last two dimensions of [3, 4, 4]: through two index tensors, and through strides. */
const diagonal = (i: number, j: number, list: RunValue[]): RunPrograms => {
  const inputs = [{ name: 'x', meta: tensor('float32', [3, 4, 4]) }]
  return {
    title: 'diagonal',
    unfused: {
      inputs,
      nodes: [iota('i', i), iota('j', j), node('y', 'aten.index.Tensor', [{ node: 'x' }, { list }])],
      outputs: ['y'],
    },
    fused: {
      inputs,
      nodes: [
        node('v', 'aten.as_strided.default', [{ node: 'x' }, { list: [3, 4] }, { list: [16, 5] }]),
        node('y', 'aten.clone.default', [{ node: 'v' }]),
      ],
      outputs: ['y'],
    },
  }
}

describe('aten.index with several index tensors', () => {
  it('picks by each of them, including negative indices', async () => {
    for (const [i, j] of [
      [0, 0],
      [0, -4],
      [-4, -4],
    ]) {
      const report = await run(diagonal(i!, j!, [null, { node: 'i' }, { node: 'j' }]))
      expect(report.problems).toEqual([])
      expect(report.outputs[0]!.shape).toEqual([3, 4])
      expect(report.verdict.kind).toBe('equal')
    }
  })

  it('is rejected if they are not adjacent', async () => {
    const report = await run(diagonal(0, 0, [{ node: 'i' }, null, { node: 'j' }]))
    expect(report.problems.join()).toContain('not side by side')
  })
})
