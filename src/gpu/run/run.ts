/** Runs the two sides of a match, compares their outputs and measures the speedup of the fusion. */
import type { Problem } from '../../fx'
import { CannotRun } from '../lower/lower'
import { onOwnGpu, onSharedGpu } from '../device/open_gpu'
import type { Gpu } from '../device/webgpu'
import { ownerOf, setOwnKernels } from '../device/registry'
import { settingsOf, type RunContext } from './run_context'
import { runDefinitions, type Definitions, type DefinedOutput } from './run_definitions'
import { runOnGpu } from './run_gpu'
import { outputReport } from './run_output'
import { Planner, type Plan } from './run_plan'
import type { Cause, RunOptions, RunPrograms, RunProgress, RunReport, OutputReport } from '../types'
import { ownKernels } from '../user_kernels/user_kernel'
import { findCauses, judge, makeVerdict, isClose } from './verdict'
import { GpuFailure, GpuStuck, KernelFailure } from '../device/limits'
import { compareCodes } from './compare'

/** Two differing outputs with the same shape and dtype, each close to the other's definition; null if there are none. */
function exchangedOutputs(
  { unfused }: Plan,
  reports: readonly OutputReport[],
  defined: readonly DefinedOutput[],
): [string, string] | null {
  const agree = (i: number, j: number): boolean => {
    const [a, b, { dtype, shape }] = [defined[i]!.unfused, defined[j]!.fused, unfused.outputs[i]!.at.view]
    return b !== null && isClose({ ...reports[i]!, pair: compareCodes(dtype, shape, a, b, null) })
  }
  const alike = (i: number, j: number): boolean =>
    reports[i]!.dtype === reports[j]!.dtype && reports[i]!.shape.join() === reports[j]!.shape.join()
  const open = [...reports.keys()].filter((i) => !reports[i]!.pair.equal && !isClose(reports[i]!))
  for (const i of open)
    for (const j of open)
      if (i < j && alike(i, j) && agree(i, j) && agree(j, i)) return [reports[i]!.unfused, reports[j]!.unfused]
  return null
}

type OnProgress = (progress: RunProgress) => void

/**
 * Never throws for user errors, which are in `problems`. Rejects with an AbortError if `signal` fires.
 * @param programs outputs of the two sides correspond by position, inputs by name
 */
export async function runPrograms(
  programs: RunPrograms,
  options: RunOptions,
  onProgress: OnProgress,
  signal: AbortSignal,
): Promise<RunReport> {
  const aborted = (): void => signal.throwIfAborted()
  const report: RunReport = {
    v: 1,
    title: programs.title,
    device: null,
    problems: [],
    notes: [],
    tokens: null,
    referenceRows: null,
    inputs: [],
    outputs: [],
    verdict: makeVerdict('cannot run', null, []),
    unfused: null,
    fused: null,
    timing: null,
  }
  try {
    report.kernelProblems = takeKernels(options.kernels)
    if (report.kernelProblems.length > 0) throw new KernelFailure(report.kernelProblems)
    await fill(report, programs, options, onProgress, aborted)
  } catch (e) {
    aborted()
    if (!(e instanceof CannotRun || e instanceof GpuFailure)) throw e
    if (e instanceof KernelFailure) report.kernelProblems = e.kernelProblems
    if (e instanceof GpuStuck) report.stuck = true
    report.problems.push(e.message)
  }
  if (report.outputs.length === 0 && report.problems.length > 0)
    report.verdict = makeVerdict('cannot run', null, [`${capital(report.problems[0]!)}.`])
  return report
}

/**
 * Registers the user's kernels for this run.
 * @returns problems in their headers
 */
export function takeKernels(files: RunOptions['kernels']): Problem[] {
  const { kernels, problems } = ownKernels(files ?? [])
  setOwnKernels(kernels)
  return problems
}

const capital = (s: string): string => s.charAt(0).toUpperCase() + s.slice(1)

/** Runs as much as possible and fills in the report. Throws CannotRun and GpuFailure for user errors. */
async function fill(
  report: RunReport,
  programs: RunPrograms,
  options: RunOptions,
  onProgress: OnProgress,
  aborted: () => void,
): Promise<void> {
  const tell: RunContext['tell'] = (stage, text, fraction) => {
    onProgress({ stage, text, fraction })
    aborted()
  }
  const settings = settingsOf(options)
  const context: RunContext = { report, settings, tell, aborted }
  const planner = new Planner(programs, options.tokens ?? null)
  tell('prepare', 'Computing shapes', 0)
  const full = planner.full()
  planner.describe(full, report)
  const small = planner.reduced(full, settings.referenceElements)
  if (small !== full) report.referenceRows = small.tokens

  let known: Definitions | null = null
  const define = async (): Promise<Definitions> => (known ??= await runDefinitions(small, context))

  const own = [...full.fused.steps, ...full.unfused.steps].flatMap((s) => ownerOf(s.kernel) ?? [])
  const onGpu = async (gpu: Gpu): Promise<void> => {
    try {
      await runOnGpu(gpu, full, context, (i, unfused, fused) => {
        report.outputs.push(outputReport(full, i, 'webgpu', { a: unfused, b: fused }, known?.outputs[i] ?? null))
      })
    } catch (e) {
      aborted()
      const ends = e instanceof KernelFailure || e instanceof GpuStuck
      if (ends || !(e instanceof CannotRun || e instanceof GpuFailure)) throw e
      report.problems.push(e.message)
      report.outputs = []
    }
  }
  if (options.device === 'reference') await define()
  else
    await (own.length > 0 ? onOwnGpu : onSharedGpu)(async ({ gpu, ...none }) => {
      aborted()
      if (!gpu || options.definitions !== false) await define()
      if (gpu) await onGpu(gpu)
      else if ('reason' in none) report.problems.push(none.reason)
    })
  if (report.outputs.length === 0) {
    const { outputs, undefinedOperator } = await define()
    if (undefinedOperator) throw new CannotRun(undefinedOperator)
    report.outputs = outputs.map((r, i) => outputReport(small, i, 'reference', { a: r.unfused, b: r.fused! }, r))
  }

  const causes =
    known && report.outputs.some((o) => o.referencePair?.equal === false) ? causesOf(small, known, aborted) : []
  const defined = known as Definitions | null
  const exchanged = defined && exchangedOutputs(small, report.outputs, defined.outputs)
  report.verdict = judge(report.outputs, causes, own[0] ?? null, exchanged)
  tell('timing', 'Done', 1)
}

const causesOf = (small: Plan, { inputs, memory }: Definitions, aborted: () => void): Cause[] =>
  findCauses(small.unfused, small.fused, memory, inputs, aborted)
