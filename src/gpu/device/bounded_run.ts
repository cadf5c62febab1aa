/**
 * Runs a user's kernels in their bounded form (user_kernels/bounded_wgsl.ts) before they run as written: a kernel that
 * reaches a bound is refused with the line of its loop, and the GPU is free again.
 */
import { boundedWgsl, ITERATIONS_A_TICK, STOPPED_BARRIER, STOPPED_THREAD } from '../user_kernels/bounded_wgsl'
import { ANSWER_LIMIT_MS, KernelFailure, within } from './limits'
import { encodeLaunches, submit, type Gpu, type Launch, type Prepared } from './webgpu'
import type { Dispatch } from '../../ops/kernel'

/** Time for the loops of a kernel, in ms; the corresponding number of iterations is measured. */
const BUDGET_MS = 3000
/** Number of iterations of all threads in the first attempt, and in the last. */
const FIRST_ITERATIONS = 2 ** 22
const MAX_ITERATIONS = 2 ** 40

/** Workgroups of the first dispatch; each next dispatch has GROWTH times as many, until all have run. */
const FIRST_GROUPS = 64
const GROWTH = 16
/** A dispatch shorter than this is no basis for a prediction. */
const SHORT_MS = 250

type Grid = readonly [number, number, number]

/**
 * Runs the launches of a prepared program once.
 * @throws KernelFailure for a kernel that reaches a bound, GpuStuck for one that does not end
 */
export async function runBounded(gpu: Gpu, prepared: Prepared, budgetMs = BUDGET_MS): Promise<void> {
  for (const launch of prepared.launches) {
    if (!launch.own) {
      submit(gpu, [launch])
      continue
    }
    const run = await BoundedLaunch.open(gpu, launch, launch.own, budgetMs)
    await run.whole().finally(() => run.destroy())
  }
}

class BoundedLaunch {
  private iterations = FIRST_ITERATIONS
  private spentMs = 0

  private constructor(
    private readonly gpu: Gpu,
    private readonly launch: Launch,
    private readonly dispatch: Dispatch,
    private readonly budgetMs: number,
    /** The buffer for the bounds, and its bind group. */
    private readonly bounds: { state: GPUBuffer; group: GPUBindGroup },
  ) {}

  static async open(gpu: Gpu, launch: Launch, dispatch: Dispatch, budgetMs: number): Promise<BoundedLaunch> {
    const pipeline = await gpu.ownPipeline(dispatch, boundedWgsl(dispatch.wgsl), [
      { binding: 0, visibility: GPUShaderStage.COMPUTE, buffer: { type: 'storage' } },
    ])
    const state = gpu.buffer(16, 'the bounds')
    const entries = [{ binding: 0, resource: { buffer: state } }]
    const group = gpu.device.createBindGroup({ layout: pipeline.getBindGroupLayout(1), entries })
    return new BoundedLaunch(gpu, { ...launch, pipeline }, dispatch, budgetMs, { state, group })
  }

  destroy(): void {
    this.bounds.state.destroy()
  }

  /** Runs growing parts of the grid, so that a grid that takes too long is refused before it runs whole. */
  async whole(): Promise<void> {
    const grid: Grid = [this.launch.grid[0], this.launch.grid[1], this.launch.grid[2] ?? 1]
    const total = groupsOf(grid)
    // With num_workgroups, a smaller grid may do all the work.
    const predicts = !this.dispatch.wgsl.includes('num_workgroups')
    for (let groups = FIRST_GROUPS; ; groups *= GROWTH) {
      const part = partOf(grid, groups)
      const scale = total / groupsOf(part)
      const tooLong = (ms: number): boolean => predicts && ms > SHORT_MS && ms * scale > 2 * ANSWER_LIMIT_MS
      let ms = await this.part(part)
      if (scale === 1) return
      // A busy machine can delay one dispatch, so the shorter of two counts.
      if (tooLong(ms)) ms = Math.min(ms, await this.part(part))
      if (tooLong(ms))
        throw this.fault(
          1,
          `Its ${total} workgroups would take about ${Math.round((ms * scale) / 1000)} s on this device, more than the limit of ${ANSWER_LIMIT_MS / 1000} s`,
        )
    }
  }

  /** Runs a part, with more iterations while the loops have time left. @returns milliseconds */
  private async part(part: Grid): Promise<number> {
    for (;;) {
      const { ms, stopped } = await this.attempt(part)
      if (stopped === 0) return ms
      const line = stopped % STOPPED_BARRIER
      if (stopped >= STOPPED_THREAD)
        throw this.fault(line, 'This loop was stopped after 67 million iterations of one thread')
      if (stopped >= STOPPED_BARRIER)
        throw this.fault(line, 'This loop with a barrier was stopped after 65,536 iterations')
      this.spentMs += ms
      if (this.spentMs > this.budgetMs / 2 || this.iterations >= MAX_ITERATIONS)
        throw this.fault(line, `This loop was stopped after ${count(this.iterations)} iterations of all threads`)
      this.iterations *= Math.min(64, Math.max(2, (this.budgetMs - this.spentMs) / ms))
    }
  }

  private async attempt(part: Grid): Promise<{ ms: number; stopped: number }> {
    const { gpu, launch, dispatch } = this
    const { state, group } = this.bounds
    gpu.upload(state, new Uint8Array(Uint32Array.of(0, this.iterations / ITERATIONS_A_TICK, 0, 0).buffer))
    const began = performance.now()
    const encoder = gpu.device.createCommandEncoder()
    const pass = encoder.beginComputePass()
    pass.setBindGroup(1, group)
    encodeLaunches(pass, [{ ...launch, grid: part }], 1)
    pass.end()
    gpu.device.queue.submit([encoder.finish()])
    const words = new Uint32Array((await within(gpu.download(state), dispatch.label)).buffer)
    return { ms: performance.now() - began, stopped: words[2]! }
  }

  private fault(line: number, message: string): KernelFailure {
    const { label, own } = this.dispatch
    return new KernelFailure([{ file: label, line: Math.min(Math.max(1, line), own!.lines), column: 1, message }])
  }
}

const count = (n: number): string => `${Math.max(1, Math.round(n / 1e6)).toLocaleString('en-US')} million`

const groupsOf = (grid: Grid): number => grid[0] * grid[1] * grid[2]

/** About `groups` workgroups from the grid's beginning. */
function partOf([x, y, z]: Grid, groups: number): Grid {
  if (groups <= x) return [groups, 1, 1]
  if (groups <= x * y) return [x, Math.ceil(groups / x), 1]
  return [x, y, Math.min(z, Math.ceil(groups / (x * y)))]
}
