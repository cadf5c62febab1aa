import { describe, expect, it } from 'vitest'
import { blockQuantPrograms, node, rmsInt8Programs, staticFp8Programs, tensor } from '../testing/fixtures'
import { runPrograms } from './run'
import type { RunOptions, RunPrograms, RunReport } from '../types'

const run = (programs: RunPrograms, options: RunOptions = {}): Promise<RunReport> =>
  runPrograms(programs, { device: 'reference', ...options }, () => undefined, new AbortController().signal)

describe('a match is run on the reference', () => {
  it('proves that the missing rounding of the intermediate is the difference', async () => {
    const report = await run(blockQuantPrograms({ tokens: 8, hidden: 256 }))
    expect(report.problems).toEqual([])
    expect(report.verdict.kind).toBe('close')
    expect(report.verdict.causes).toEqual([expect.objectContaining({ id: 'round', proven: true })])
    expect(report.verdict.sentence).toContain('does not round')
    const [q, s] = report.outputs
    expect(q).toMatchObject({ dtype: 'f8e4m3fn', shape: [8, 256], device: 'reference' })
    expect(q!.pair.maxSteps).toBe(1)
    expect(s!.shape).toEqual([8, 2])
    expect(q!.pair.first[0]).toMatchObject({ reference: q!.pair.first[0]!.a })
  })

  it('reports that the fused operator does not implement ue8m0, for all eight variants that use it', async () => {
    for (const group of [64, 128])
      for (const transposed of [false, true]) {
        const { verdict, outputs } = await run(
          blockQuantPrograms({ tokens: 5, hidden: 256, group, transposed, ue8m0: true }),
        )
        expect(verdict.kind).toBe('different')
        expect(verdict.causes.map((c) => [c.id, c.proven])).toEqual([
          ['ue8m0', true],
          ['round', true],
        ])
        expect(outputs[1]!.stride).toEqual(transposed ? [1, 5] : [256 / group, 1])
      }
  })

  it('is equal bit for bit in float32, where nothing is rounded', async () => {
    const report = await run(blockQuantPrograms({ tokens: 7, hidden: 300, group: 100, dtype: 'float32' }))
    expect(report.verdict).toMatchObject({ kind: 'equal', causes: [] })
  })

  it('finds the different lower bounds of the scales when the input is zero', async () => {
    const report = await run(blockQuantPrograms({ tokens: 2, hidden: 128 }), { distribution: 'zeros' })
    expect(report.verdict.causes).toEqual([expect.objectContaining({ id: 'eps', proven: true })])
    expect(report.outputs[0]!.pair.equal).toBe(true)
  })

  it("runs the article's int8 pair, with one weight per row, and returns the scale", async () => {
    const report = await run(rmsInt8Programs(5, 4, [5, 1]))
    expect(report.verdict.kind).toBe('equal')
    expect(report.outputs.map((o) => o.dtype)).toEqual(['i8', 'f32'])
  })

  it('gives another token count to all inputs of that size, but not to weights', async () => {
    const shapesAt = async (target: string, ...shapes: number[][]) => {
      const inputs = shapes.map((shape, i) => ({ name: `x${i}`, meta: tensor('float32', shape) }))
      const call = node('call', target, [{ node: 'x0' }, { node: 'x1' }], {}, tensor('float32', shapes[0]!))
      const side = { inputs, nodes: [call], outputs: ['call'] }
      const report = await run({ title: target, unfused: side, fused: side }, { tokens: 64 })
      expect(report.problems).toEqual([])
      return report.inputs.map((i) => i.shape.join(' '))
    }
    expect(await shapesAt('aten.mul.Tensor', [8, 16], [8, 16])).toEqual(['64 16', '64 16'])
    expect(await shapesAt('aten.mul.Tensor', [8, 16], [8, 1])).toEqual(['64 16', '64 1'])
    expect(await shapesAt('aten.mul.Tensor', [8, 16], [1, 16])).toEqual(['64 16', '1 16'])
    expect(await shapesAt('aten.mul.Tensor', [8, 16], [16])).toEqual(['64 16', '16'])
    expect(await shapesAt('aten.mul.Tensor', [8], [8])).toEqual(['64', '64'])
    expect(await shapesAt('aten.mm.default', [8, 8], [8, 8])).toEqual(['64 8', '8 8'])
  })

  it('runs odd sizes', async () => {
    expect((await run(staticFp8Programs(3, 333))).problems).toEqual([])
    expect((await run(rmsInt8Programs(3, 37))).verdict.kind).toBe('equal')
  })
})

describe('sizes', () => {
  it('replaces the token count everywhere', async () => {
    const report = await run(blockQuantPrograms({ tokens: 8, hidden: 256, transposed: true }), { tokens: 3 })
    expect(report.problems).toEqual([])
    expect(report.tokens).toBe(3)
    expect(report.outputs.map((o) => [o.shape, o.stride])).toEqual([
      [
        [3, 256],
        [256, 1],
      ],
      [
        [3, 2],
        [1, 3],
      ],
    ])
  })

  it('assigns a value to symbolic sizes and reports it', async () => {
    const programs = staticFp8Programs(4, 16)
    programs.unfused.inputs[0]!.meta = tensor('bfloat16', ['s72', 32], [32, 1])
    programs.fused.inputs[0] = programs.unfused.inputs[0]!
    const report = await run(programs, { tokens: 6 })
    expect(report.outputs[0]!.shape).toEqual([6, 16])
    expect(report.notes).toContain('s72 taken as 6')
  })

  it('computes the reference on the first rows only if there are many, with the same values', async () => {
    const all = await run(staticFp8Programs(64, 16))
    const some = await run(staticFp8Programs(64, 16), { referenceElements: 32 * 16 })
    expect(some.referenceRows).toBe(16)
    const shown = all.outputs[0]!.pair.first.filter((d) => d.index[0]! < 16)
    expect(some.outputs[0]!.pair.first.slice(0, shown.length)).toEqual(shown)
  })

  it('counts bytes by storage size, and launches', async () => {
    const { unfused, fused } = await run(blockQuantPrograms({ tokens: 8, hidden: 256 }))
    expect(unfused).toMatchObject({
      launches: 2,
      bytesRead: 8 * 512 * 2 + 8 * 256 * 2,
      bytesWritten: 8 * 256 * 3 + 8 * 2 * 4,
    })
    expect(fused).toMatchObject({ launches: 1, bytesRead: 8 * 512 * 2, bytesWritten: 8 * 256 + 8 * 2 * 4 })
  })
})

describe('reports what cannot run', () => {
  it('an unknown operator', async () => {
    const programs = staticFp8Programs(4, 16)
    programs.unfused.nodes[1]!.args = [{ op: 'mylib.mystery.default' }]
    const report = await run(programs)
    expect(report.problems).toEqual(['cannot run: no kernel for mylib.mystery.default'])
    expect(report.verdict.kind).toBe('cannot run')
  })

  it('a hidden size that is not a multiple of the group', async () => {
    const [problem] = (await run(blockQuantPrograms({ tokens: 2, hidden: 192, group: 128 }))).problems
    expect(problem).toContain('the hidden size 192 must be a multiple of group_size, found 128')
  })

  it('an operator known by its name alone', async () => {
    const programs = staticFp8Programs(4, 16)
    programs.unfused.nodes[1]!.args = [{ op: 'mylib.silu_and_mul.default' }]
    const report = await run(programs)
    expect(report.problems).toEqual([])
    expect(report.notes[0]).toContain('mylib.silu_and_mul.default runs with the definition of _C.silu_and_mul')
  })

  it('the absence of WebGPU, still with reference results', async () => {
    const report = await run(staticFp8Programs(4, 16), { device: 'webgpu' })
    expect(report.problems[0]).toContain('WebGPU is not available')
    expect(report.outputs[0]!.device).toBe('reference')
    expect(report.verdict.kind).not.toBe('cannot run')
  })

  it('a canceled run rejects', async () => {
    const controller = new AbortController()
    const going = runPrograms(staticFp8Programs(4, 16), {}, () => controller.abort(), controller.signal)
    await expect(going).rejects.toMatchObject({ name: 'AbortError' })
  })
})
