/** Measures the GPU time of programs with interleaved samples, each long compared with the clock's resolution. */
import type { Spread } from '../types'
import { encodeLaunches, type Gpu, type Launch } from '../device/webgpu'

/** Minimum length of a sample in steps of the clock. */
const STEPS_A_SAMPLE = 40
const SHORTEST_SAMPLE_NS = 4e6
const MAX_REPEATS = 4096
/** An execution that takes more than this share of the budget is timed once: it is long on any clock. */
const SLOW_SHARE = 0.25

export interface TimingResult {
  method: 'timestamp-query' | 'wall clock'
  quantumNs: number
  /** In program order. */
  spreads: Spread[]
}

/** A stopwatch over one compute pass. */
class Clock {
  private readonly queries: GPUQuerySet | null
  private readonly resolved: GPUBuffer | null
  private readonly staging: GPUBuffer | null
  /** Greatest common divisor of all readings: the step of the clock. */
  private step = 0n

  constructor(private readonly gpu: Gpu) {
    const { device } = gpu
    this.queries = gpu.timestamps ? device.createQuerySet({ type: 'timestamp', count: 2 }) : null
    this.resolved = this.queries
      ? device.createBuffer({ size: 16, usage: GPUBufferUsage.QUERY_RESOLVE | GPUBufferUsage.COPY_SRC })
      : null
    this.staging = this.queries
      ? device.createBuffer({ size: 16, usage: GPUBufferUsage.MAP_READ | GPUBufferUsage.COPY_DST })
      : null
  }

  get method(): TimingResult['method'] {
    return this.queries ? 'timestamp-query' : 'wall clock'
  }

  /** In nanoseconds. Browsers round performance.now to 5 µs or 100 µs; assumes the coarser. */
  get quantumNs(): number {
    return this.queries ? Number(this.step) || 1 : 1e5
  }

  /** Nanoseconds of `repeats` executions. */
  async measure(launches: readonly Launch[], repeats: number): Promise<number> {
    const { device } = this.gpu
    this.gpu.check()
    const encoder = device.createCommandEncoder()
    const pass = encoder.beginComputePass(
      this.queries
        ? { timestampWrites: { querySet: this.queries, beginningOfPassWriteIndex: 0, endOfPassWriteIndex: 1 } }
        : {},
    )
    encodeLaunches(pass, launches, repeats)
    pass.end()
    if (!this.queries || !this.resolved || !this.staging) {
      const began = performance.now()
      device.queue.submit([encoder.finish()])
      await device.queue.onSubmittedWorkDone()
      return (performance.now() - began) * 1e6
    }
    encoder.resolveQuerySet(this.queries, 0, 2, this.resolved, 0)
    encoder.copyBufferToBuffer(this.resolved, 0, this.staging, 0, 16)
    device.queue.submit([encoder.finish()])
    await this.staging.mapAsync(GPUMapMode.READ).catch((e: unknown) => {
      this.gpu.check()
      throw e
    })
    const [begin, end] = new BigUint64Array(this.staging.getMappedRange().slice(0))
    this.staging.unmap()
    this.step = gcd(gcd(this.step, begin!), end!)
    return Number(end! - begin!)
  }

  destroy(): void {
    this.queries?.destroy()
    this.resolved?.destroy()
    this.staging?.destroy()
  }
}

function gcd(a: bigint, b: bigint): bigint {
  while (b !== 0n) [a, b] = [b, a % b]
  return a
}

export async function timeInTurns(
  gpu: Gpu,
  programs: readonly (readonly Launch[])[],
  wanted: { samples: number; budgetMs: number },
  onSample: (fraction: number) => void,
  aborted: () => void,
): Promise<TimingResult> {
  const clock = new Clock(gpu)
  try {
    const sides = programs.map((launches) => ({ launches, repeats: 1, ns: [] as number[] }))
    let round = 0
    let slow = false
    for (const side of sides) {
      // The first execution includes cache misses and page faults, so it is not counted.
      const first = await clock.measure(side.launches, 1)
      if (first > SLOW_SHARE * wanted.budgetMs * 1e6) {
        slow = true
        round += first
        continue
      }
      const goal = (): number => Math.max(SHORTEST_SAMPLE_NS, STEPS_A_SAMPLE * clock.quantumNs)
      for (;;) {
        aborted()
        const ns = await clock.measure(side.launches, side.repeats)
        if (ns >= goal() || side.repeats >= MAX_REPEATS) {
          round += ns
          break
        }
        // A reading of few steps is unreliable: grow by a factor. Otherwise estimate the count.
        const factor = ns < 4 * clock.quantumNs ? 8 : Math.min(8, (1.2 * goal()) / ns)
        side.repeats = Math.min(MAX_REPEATS, Math.max(side.repeats + 1, Math.ceil(side.repeats * factor)))
      }
    }
    const affordable = Math.floor((wanted.budgetMs * 1e6) / Math.max(1, round))
    const samples = Math.max(slow ? 1 : 3, Math.min(wanted.samples, affordable))
    for (let i = 0; i < samples; i++) {
      // Interleaved, with the order swapped each time, so that drift affects both sides.
      for (const side of i % 2 === 0 ? sides : [...sides].reverse()) {
        aborted()
        side.ns.push((await clock.measure(side.launches, side.repeats)) / side.repeats)
      }
      onSample((i + 1) / samples)
    }
    return { method: clock.method, quantumNs: clock.quantumNs, spreads: sides.map((s) => spread(s.ns, s.repeats)) }
  } finally {
    clock.destroy()
  }
}

/** Order statistics of samples: from nanoseconds to milliseconds. */
export function spread(ns: readonly number[], repeats: number): Spread {
  const sorted = [...ns].sort((a, b) => a - b)
  const at = (q: number): number => {
    const i = q * (sorted.length - 1)
    const low = Math.floor(i)
    const high = Math.min(sorted.length - 1, low + 1)
    return (sorted[low]! + (sorted[high]! - sorted[low]!) * (i - low)) / 1e6
  }
  return { median: at(0.5), q1: at(0.25), q3: at(0.75), min: at(0), max: at(1), samples: sorted.length, repeats }
}
