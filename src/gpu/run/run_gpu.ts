/** Runs both sides on WebGPU from the same input buffers, and times them. */
import { runBounded } from '../device/bounded_run'
import { prepareCopy } from '../device/copy'
import { gather } from '../device/host'
import { within } from '../device/limits'
import { ownerOf } from '../device/registry'
import type { Lowered } from '../lower/lower'
import { fillBytes } from './inputs'
import type { RunContext } from './run_context'
import { inputBytes } from './run_inputs'
import type { Plan } from './run_plan'
import { bytesOf, setTime } from './run_side'
import { timeInTurns } from './timing'
import { prepare, submit, type Gpu, type Prepared } from '../device/webgpu'

/** Fraction of a copy's bandwidth above which bytes, not arithmetic, determine the time. */
const BOUND_BY_BYTES = 0.5

/** @param output receives the codes of the i-th output of each side, in row-major order */
export async function runOnGpu(
  gpu: Gpu,
  full: Plan,
  context: RunContext,
  output: (i: number, unfused: ArrayLike<number>, fused: ArrayLike<number>) => void,
): Promise<void> {
  const { report, settings, tell, aborted } = context
  const shared = new Map<string, GPUBuffer>()
  const sides: Prepared[] = []
  tell('gpu', `Running on ${gpu.name}`, 0.25)
  try {
    await gpu.guarded(async () => {
      for (const side of [full.unfused, full.fused])
        for (const { name, at } of side.inputs)
          if (!shared.has(name)) shared.set(name, gpu.buffer(side.slots[at.slot]!.bytes, name))
      for (const [name, bytes] of inputBytes(full, context)) gpu.upload(shared.get(name)!, bytes)
      await checkEnds(gpu, full, shared, settings.kernelBudgetMs)
      for (const side of [full.unfused, full.fused]) {
        sides.push(await prepareSide(gpu, side, shared))
        submit(gpu, sides.at(-1)!.launches)
      }
      const done = gpu.device.queue.onSubmittedWorkDone()
      const own = sides.flatMap((s) => s.launches).find((l) => l.own)?.own
      await (own ? within(done, own.label) : done)
    })
    report.device = { name: gpu.name, fallback: gpu.fallback, timestamps: gpu.timestamps }
    report.unfused!.launches = sides[0]!.launches.length
    report.fused!.launches = sides[1]!.launches.length
    tell('compare', 'Comparing outputs', 0.45)
    for (let i = 0; i < full.unfused.outputs.length; i++) {
      const u = full.unfused.outputs[i]!.at
      const f = full.fused.outputs[i]!.at
      const a = gather(u.view, await gpu.download(sides[0]!.buffers[u.slot]!))
      const b = gather(f.view, await gpu.download(sides[1]!.buffers[f.slot]!))
      output(i, a, b)
      aborted()
    }
    if (settings.samples > 0) await timeSides(gpu, sides, context)
  } finally {
    sides.forEach((s) => s.destroy())
    shared.forEach((b) => b.destroy())
  }
}

/** Prepares a side, with the constants that its tensors begin with. */
async function prepareSide(gpu: Gpu, side: Lowered, shared: ReadonlyMap<string, GPUBuffer>): Promise<Prepared> {
  const prepared = await prepare(gpu, side, shared)
  side.slots.forEach((slot, i) => {
    if (slot.init && 'fill' in slot.init)
      gpu.upload(prepared.buffers[i]!, fillBytes(slot.init.dtype, slot.init.fill, slot.bytes))
  })
  return prepared
}

/**
 * Compiles the user's kernels and runs the sides that contain one, in a bounded form on separate buffers.
 * @throws KernelFailure, GpuStuck
 */
async function checkEnds(
  gpu: Gpu,
  { unfused, fused }: Plan,
  shared: ReadonlyMap<string, GPUBuffer>,
  budgetMs?: number,
): Promise<void> {
  const sides = [unfused, fused].filter((side) => side.steps.some((s) => ownerOf(s.kernel)))
  const check = async (): Promise<void> => {
    for (const side of sides) {
      const prepared = await prepareSide(gpu, side, shared)
      await runBounded(gpu, prepared, budgetMs).finally(() => prepared.destroy())
    }
  }
  if (sides.length > 0) await within(check(), 'the check that your kernel ends')
}

/** Times the two sides and a copy of the fused side's bytes in turns, so that a slow moment affects all three. */
async function timeSides(gpu: Gpu, [unfused, fused]: Prepared[], context: RunContext): Promise<void> {
  const { report, settings, tell, aborted } = context
  if (unfused!.launches.length === 0 || fused!.launches.length === 0) return
  tell('timing', 'Timing', 0.5)
  await gpu.guarded(async () => {
    const copy = await prepareCopy(gpu, bytesOf(report.fused!))
    try {
      const { method, quantumNs, spreads } = await timeInTurns(
        gpu,
        [unfused!.launches, fused!.launches, copy.launches],
        { samples: settings.samples, budgetMs: settings.timeBudgetMs },
        (f) => tell('timing', 'Timing', 0.5 + 0.5 * f),
        aborted,
      )
      const gbps = copy.bytes / (spreads[2]!.median * 1e6)
      setTime(report.unfused!, spreads[0]!, gbps)
      setTime(report.fused!, spreads[1]!, gbps)
      const share = report.fused!.copyShare ?? 1
      if (gpu.traits.serial && share < BOUND_BY_BYTES)
        report.notes.push(
          `This adapter is a CPU, and arithmetic limits it: the fused side moves its bytes at ${(100 * share).toFixed(0)} % of a copy's speed.`,
        )
      report.timing = {
        method,
        quantumNs,
        speedup: spreads[0]!.median / spreads[1]!.median,
        bytesRatio: bytesOf(report.unfused!) / bytesOf(report.fused!),
        copy: { gbps, bytes: copy.bytes, time: spreads[2]! },
      }
    } finally {
      copy.destroy()
    }
  })
}
