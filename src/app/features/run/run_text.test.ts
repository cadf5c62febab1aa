import { describe, expect, it } from 'vitest'
import type { RunReport, SideReport } from '../../../gpu/types'
import { asCsv, asMarkdown, deviceLine, time } from './run_text'

const side = (median: number): SideReport => ({
  launches: 2,
  bytesRead: 1_000_000,
  bytesWritten: 500_000,
  steps: [],
  time: { median, q1: median * 0.9, q3: median * 1.1, min: median, max: median, samples: 20, repeats: 4 },
  gbps: 12.345,
})
const pair = {
  elements: 8,
  equal: false,
  differing: 2,
  share: 0.25,
  maxAbs: 0.5,
  maxRel: 0.125,
  maxSteps: 1,
  nanMismatches: 0,
  relNorm: 0,
  histogram: [],
  first: [],
}
const report: RunReport = {
  v: 1,
  title: 'Silu',
  device: { name: 'SwiftShader', fallback: true, timestamps: true },
  problems: [],
  notes: ['scale, made up'],
  tokens: 48,
  referenceRows: null,
  inputs: [],
  outputs: [
    {
      unfused: 'a',
      fused: 'b',
      dtype: 'f8e4m3fn',
      shape: [2, 4],
      stride: [4, 1],
      device: 'webgpu',
      pair,
      referencePair: pair,
      unfusedAgainstReference: null,
      fusedAgainstReference: null,
    },
  ],
  verdict: {
    kind: 'close',
    headline: null,
    parts: ['2 of 8 codes differ by one step.'],
    sentence: '2 of 8 codes differ by one step.',
    causes: [],
    named: [],
  },
  unfused: side(0.2),
  fused: side(0.1),
  timing: { method: 'timestamp-query', quantumNs: 65536, speedup: 2, bytesRatio: 1.7 },
}

describe('figures of a run', () => {
  it('have three figures and a unit', () => {
    expect([time(0.01234), time(12.345), time(2500)]).toEqual(['12.3 µs', '12.3 ms', '2.50 s'])
  })
  it('are copied as a Markdown table and as CSV', () => {
    expect(asMarkdown(report)).toContain('| a / b | f8e4m3fn\\[2, 4\\] | no | 2 | 0.5 | 0.125 | 1 |')
    expect(asCsv(report).split('\n')[1]).toBe('a / b,"f8e4m3fn[2, 4]",no,2,0.5,0.125,1')
    expect(deviceLine(report)).toBe('SwiftShader (software) · GPU timestamps, steps of 65.5 µs')
  })
})
