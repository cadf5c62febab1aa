/** Tests device limits in a run: an error that names the limit, and reference results on some rows instead. */
import { afterEach, describe, expect, it, vi } from 'vitest'
import { blockQuantPrograms } from '../testing/fixtures'
import type { RunReport } from '../types'

const MIB = 2 ** 20

/** A WebGPU adapter with these limits; its device creates nothing. */
function adapterWith(limits: { maxStorageBufferBindingSize: number; maxBufferSize: number }): {
  gpu: unknown
  made: number[]
} {
  const made: number[] = []
  const scopes = { pushErrorScope: () => undefined, popErrorScope: () => Promise.resolve(null) }
  const device = {
    ...scopes,
    limits,
    features: new Set<string>(),
    lost: new Promise(() => undefined),
    queue: { writeBuffer: () => undefined },
    createBuffer: ({ size }: { size: number }) => (made.push(size), { size, destroy: () => undefined }),
  }
  const adapter = {
    limits,
    features: new Set<string>(),
    info: { vendor: 'test', architecture: '', device: '', description: '', isFallbackAdapter: true },
    requestDevice: () => Promise.resolve(device),
  }
  return { gpu: { requestAdapter: () => Promise.resolve(adapter) }, made }
}

afterEach(() => {
  vi.unstubAllGlobals()
  vi.resetModules()
})

/**
 * @param gpu the value of `navigator.gpu`
 * @param shape default: 8,192 tokens of two times 28,672 bfloat16, 896 MiB
 */
async function runOn(gpu: unknown, shape = { tokens: 8192, hidden: 28672 }): Promise<RunReport> {
  vi.stubGlobal('navigator', { gpu })
  // The device is kept for the next run, so each test opens its own.
  const { runPrograms } = await import('../run/run')
  const options = { referenceElements: 2 ** 17, samples: 0 }
  return runPrograms(blockQuantPrograms(shape), options, () => undefined, new AbortController().signal)
}

describe('a tensor larger than the device can bind', () => {
  it.each([
    ['maxStorageBufferBindingSize', { maxStorageBufferBindingSize: 128 * MIB, maxBufferSize: 256 * MIB }, '128 MiB'],
    ['maxBufferSize', { maxStorageBufferBindingSize: 512 * MIB, maxBufferSize: 256 * MIB }, '256 MiB'],
  ])('is rejected by %s in one sentence, and nothing is created', async (limit, limits, size) => {
    const { gpu, made } = adapterWith(limits)
    const report = await runOn(gpu)
    expect(report.problems).toEqual([
      `cannot run: mm takes 896 MiB and this device binds at most ${size} (${limit}); choose fewer tokens`,
    ])
    expect(made).toEqual([])
    expect(report.device).toBeNull()
    // The definitions still ran, on as many rows as the CPU has time for.
    expect(report.outputs.map((o) => o.device)).toEqual(['reference', 'reference'])
    expect(report.referenceRows).toBe(2)
  })
})

it('reports a missing GPU without needing one', async () => {
  const report = await runOn(undefined, { tokens: 2, hidden: 128 })
  expect(report.problems[0]).toContain('WebGPU is not available')
  expect(report.outputs).toHaveLength(2)
})
