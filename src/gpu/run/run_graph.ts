/** Runs two whole graphs on the same inputs and checks that the rewrite preserved the results. */
import { message, node, type Message } from '../../base/message'
import { CannotRun, lower } from '../lower/lower'
import { runPrograms, takeKernels } from './run'
import { Symbols } from '../lower/symbols'
import type { OutputReport, RunOptions, RunPrograms, RunProgress, RunReport, Verdict } from '../types'
import { cutUnknown } from '../lower/whole_graph'
import { GpuFailure } from '../device/limits'
import { makeVerdict } from './verdict'

/** Default value of a symbolic size: small, because every tensor of the graph is kept. */
const SMALL = 16
/** Maximum size of the tensors of both graphs together; beyond it a run would exhaust the machine's memory. */
const MAX_BYTES = 2 ** 30
/**
 * ‖before - after‖ / ‖before‖ that rounding explains: one code of f8e4m3fn is 6 % of its value, and few values move by
 * one.
 */
const ROUNDING = 0.02

/**
 * Maximum growth of a rounding error from one compared tensor to the next. Measured growth: 11 times over a layer of
 * attention with synthetic weights, whose softmax selects one key, and 23 times over an MLP of
 * silu(gate) * up, which is quadratic in its input.
 */
const GROWTH = 25

/** Like runPrograms; `verdict` applies to the graph, and `cut` names the excluded calls. */
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
        `nothing is left to compare without ${cut.map((c) => c.target).join(', ')}; you can implement one in a .wgsl file`,
      )
    problem = tooLarge(left, new Symbols(tokens))
  } catch (e) {
    if (!(e instanceof CannotRun || e instanceof GpuFailure)) throw e
    problem = e.message
  }
  // Nothing runs, but the report still names the operators that prevent it.
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
    report.verdict = makeVerdict('cannot run', null, [`${problem.charAt(0).toUpperCase()}${problem.slice(1)}.`])
  } else if (report.outputs.length > 0) report.verdict = meaning(ordered(report.outputs, left), cut)
  return report
}

const HEADLINES = { equal: 'Equal', close: 'Close', different: 'Not equal' } as const

const NOTHING = { inputs: [], nodes: [], outputs: [] }

function ordered(outputs: readonly OutputReport[], { unfused }: RunPrograms): OutputReport[] {
  const place = new Map(unfused.nodes.map((n, i) => [n.name, i]))
  return [...outputs].sort((a, b) => (place.get(a.unfused) ?? -1) - (place.get(b.unfused) ?? -1))
}

function tooLarge(programs: RunPrograms, symbols: Symbols): string | null {
  let bytes = 0
  for (const side of [programs.unfused, programs.fused])
    for (const slot of lower(side, { symbols, tokens: null, rowInputs: new Set() }).slots) bytes += slot.bytes
  if (bytes <= MAX_BYTES) return null
  return `cannot run: the tensors of both graphs take ${(bytes / 2 ** 30).toFixed(1)} GiB, more than the 1 GiB kept for a whole graph; run a match of it instead`
}

/**
 * Compared in graph order, because a difference propagates: rounding grows from layer to layer, and a wrong rewrite
 * shows as a jump.
 */
export function meaning(inOrder: readonly OutputReport[], cut: NonNullable<RunReport['cut']>): Verdict {
  const n = inOrder.length
  const calls = cut.reduce((sum, c) => sum + c.calls, 0)
  const but =
    calls > 0
      ? ` ${calls === 1 ? 'One call without a kernel was' : `${calls} calls without a kernel were`} left out.`
      : ''
  const verdict = (kind: 'equal' | 'close' | 'different', parts: Message): Verdict =>
    makeVerdict(kind, HEADLINES[kind], message`${parts}${but}`)
  const percent = (norm: number): string => `${(norm * 100).toPrecision(2)} %`
  const differing = inOrder.filter((o) => !o.pair.equal)
  const first = differing[0]
  if (!first)
    return verdict(
      'equal',
      message`this rewrite kept the meaning; ${n === 1 ? 'the output is' : `all ${n} compared tensors are`} the same bit for bit.`,
    )
  let most = 0
  for (const { unfused, pair } of differing) {
    const jump = pair.relNorm > ROUNDING && pair.relNorm > GROWTH * most
    if (jump || pair.nanMismatches > 0 || Number.isNaN(pair.relNorm)) {
      const how =
        pair.nanMismatches > 0 ? `${pair.nanMismatches} numbers against NaN` : `${percent(pair.relNorm)} of the norm`
      return verdict(
        'different',
        message`this rewrite changed the result; ${differing.length} of ${n} compared tensors differ, and at ${node(unfused)} by more than rounding explains (${how}).`,
      )
    }
    most = Math.max(most, pair.relNorm)
  }
  const some = `${differing.length} of ${n} compared tensors differ`
  return verdict(
    'close',
    most <= ROUNDING
      ? message`this rewrite kept the meaning within rounding; ${some}, by at most ${percent(most)} of the norm.`
      : message`this rewrite kept the meaning within rounding where the graphs first part (${node(first.unfused)}, ${percent(first.pair.relNorm)} of the norm); ${some}, and the difference grows from layer to layer to ${percent(most)}, never suddenly, as rounding does.`,
  )
}
