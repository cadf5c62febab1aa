import { describe, expect, it } from 'vitest'
import { compareCodes } from './compare'
import type { OutputReport } from '../types'
import { judge } from './verdict'

/** Two bfloat16 GPU outputs, and the definition's result for both. */
function output(a: number[], b: number[], defined: number[]): OutputReport {
  const compare = (x: number[], y: number[]) => compareCodes('bfloat16', [x.length], x, y, null)
  const against = (x: number[]) => compare(defined, x)
  return {
    unfused: 'mul',
    fused: 'fused',
    dtype: 'bf16',
    shape: [a.length],
    stride: [1],
    device: 'webgpu',
    pair: compare(a, b),
    referencePair: compare(defined, defined),
    unfusedAgainstReference: against(a),
    fusedAgainstReference: against(b),
  }
}

const [ONE, SUBNORMAL, ZERO] = [0x3f80, 0x0012, 0]

describe('a device that flushes subnormals to zero', () => {
  it('is named as the cause if one side kept a value that the other flushed', () => {
    const verdict = judge([output([ONE, SUBNORMAL], [ONE, ZERO], [ONE, SUBNORMAL])], [])
    expect(verdict.kind).toBe('close')
    expect(verdict.sentence).toContain('this device flushes float32 subnormals to zero')
  })

  it('is mentioned for an equal pair that is not zero by definition', () => {
    const verdict = judge([output([ONE, ZERO], [ONE, ZERO], [ONE, SUBNORMAL])], [])
    expect(verdict.kind).toBe('equal')
    expect(verdict.sentence).toContain('below 1.2e-38')
  })

  it('does not excuse other differences', () => {
    const verdict = judge([output([ONE, SUBNORMAL], [ZERO, ZERO], [ONE, SUBNORMAL])], [])
    expect(verdict.kind).toBe('different')
    expect(verdict.sentence).not.toContain('subnormals')
  })
})

describe('float32 outputs with zeros', () => {
  const [ZERO32, ONE32, MINUS_THREE, NEAR_ONE] = [0, 0x3f800000, 0xc0400000, 0x3f800001]
  const float32 = (a: number[], b: number[]): OutputReport => ({
    ...output([], [], []),
    dtype: 'f32',
    device: 'reference',
    pair: compareCodes('float32', [a.length], a, b, null),
  })

  it('differ where a relu is missing: a zero against a number has no relative error', () => {
    const verdict = judge([float32([ZERO32, ONE32], [MINUS_THREE, NEAR_ONE])], [])
    expect(verdict.kind).toBe('different')
    expect(verdict.sentence).toContain('by at most 3.0')
  })

  it('are close when only roundings differ', () => {
    expect(judge([float32([ZERO32, ONE32], [ZERO32, NEAR_ONE])], []).kind).toBe('close')
  })
})
