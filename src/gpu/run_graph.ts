/** Two whole graphs from the same inputs: did the rewrite keep the meaning? */
import { CannotRun, lower } from './lower'
import { runPrograms, takeKernels } from './run'
import { Symbols } from './symbols'
import type { OutputReport, RunOptions, RunPrograms, RunProgress, RunReport, Verdict } from './types'
import { cutUnknown } from './whole_graph'
import { GpuFailure } from './webgpu'

/** What a symbolic size becomes when none is given: small, since every tensor of the graph is kept. */
const SMALL = 16
/** Tensors of both graphs together; beyond it a run would hold the machine. */
const MOST_BYTES = 2 ** 30
/** ‖before - after‖ / ‖before‖ that rounding explains: a code of f8e4m3fn is 6 % of its value, few values move by one. */
const ROUNDING = 0.02

/** As runPrograms; `verdict` answers for the graph, and `cut` names the calls that were left out. */
export async function runGraph(
  programs: RunPrograms,
  options: RunOptions,
  onProgress: (progress: RunProgress) => void,
  signal: AbortSignal,
): Promise<RunReport> {
  const tokens = options.tokens ?? SMALL
  let cut: RunReport['cut'] = []
  let problem: string | null = null
  let left: RunPrograms = programs
  try {
    takeKernels(options.kernels)
    const found = cutUnknown(programs, new Symbols(tokens))
    cut = found.cut
    left = found.programs
    if (left.unfused.outputs.length === 0)
      throw new CannotRun(
        `cannot run: nothing is left to compare without ${cut.map((c) => c.target).join(', ')}; a .wgsl file of your own can stand for one`,
      )
    problem = tooLarge(left, new Symbols(tokens))
  } catch (e) {
    if (!(e instanceof CannotRun || e instanceof GpuFailure)) throw e
    problem = e.message
  }
  // Nothing runs of what cannot: the report still says which operators stood in the way.
  const runnable = problem === null ? left : { ...left, unfused: NOTHING, fused: NOTHING }
  const symbolic = [...left.unfused.inputs].some((i) => i.meta.shape.some((d) => typeof d === 'string'))
  const { tokens: _tokens, ...rest } = options
  const report = await runPrograms(
    runnable,
    {
      ...rest,
      samples: 0,
      definitions: false,
      ...(symbolic ? { tokens } : {}),
      ...(problem ? { device: 'reference' } : {}),
    },
    onProgress,
    signal,
  )
  report.cut = cut
  if (!symbolic) report.tokens = null
  if (problem !== null) {
    report.problems = [problem]
    report.verdict = {
      kind: 'cannot run',
      sentence: `${problem.charAt(0).toUpperCase()}${problem.slice(1)}.`,
      causes: [],
    }
  } else if (report.outputs.length > 0) report.verdict = meaning(report.outputs, cut)
  return report
}

const NOTHING = { inputs: [], nodes: [], outputs: [] }

function tooLarge(programs: RunPrograms, symbols: Symbols): string | null {
  let bytes = 0
  for (const side of [programs.unfused, programs.fused])
    for (const slot of lower(side, { symbols, tokens: null, rowInputs: new Set() }).slots) bytes += slot.bytes
  if (bytes <= MOST_BYTES) return null
  return `cannot run: the tensors of both graphs take ${(bytes / 2 ** 30).toFixed(1)} GiB, more than the 1 GiB kept for a whole graph; run a match of it instead`
}

function meaning(outputs: readonly OutputReport[], cut: NonNullable<RunReport['cut']>): Verdict {
  const n = outputs.length
  const tensors = n === 1 ? 'the output is' : `all ${n} compared tensors are`
  const differing = outputs.filter((o) => !o.pair.equal)
  const beyond = differing.filter((o) => o.pair.nanMismatches > 0 || !(o.pair.relNorm <= ROUNDING))
  const calls = cut.reduce((sum, c) => sum + c.calls, 0)
  const but =
    calls > 0
      ? ` ${calls === 1 ? 'One call without a kernel was' : `${calls} calls without a kernel were`} left out.`
      : ''
  if (differing.length === 0)
    return {
      kind: 'equal',
      sentence: `Equal: this rewrite kept the meaning; ${tensors} the same bit for bit.${but}`,
      causes: [],
    }
  if (beyond.length === 0) {
    const most = Math.max(...differing.map((o) => o.pair.relNorm))
    return {
      kind: 'close',
      sentence: `Close: this rewrite kept the meaning within rounding; ${differing.length} of ${n} compared tensors differ, by at most ${(most * 100).toPrecision(2)} % in norm.${but}`,
      causes: [],
    }
  }
  const { unfused, pair } = beyond[0]!
  const how =
    pair.nanMismatches > 0
      ? `${pair.nanMismatches} numbers against NaN`
      : `${(pair.relNorm * 100).toPrecision(2)} % in norm`
  return {
    kind: 'different',
    sentence: `Not equal: this rewrite changed the result; ${beyond.length} of ${n} compared tensors differ by more than rounding, ${unfused} first (${how}).${but}`,
    causes: [],
  }
}
