/** Runs programs on the GPU: the engine makes them, and a separate worker owns the device. */
import { once } from '../../../base/memoize'
import type { GpuClient, RunPrograms, RunReport } from '../../../gpu'
import { argumentsOf, defaultShapes, parseShape, tokensOf, withTokens } from './run_sizes'
import { pointOf, SWEEP } from './run_sweep'
import { entryKey, passNamed } from '../../../engine/queries/report_index'
import { subjectKey, useGpu, type LeafVerdict, type Subject, type Sweep } from './store'
import { runEnded, useRun } from '../../session/run_store'
import { done, isOf, NONE } from '../../session/section'
import { currentSession } from '../../session/session'
import { useWorkspace } from '../../session/workspace_store'
import { requireCode } from '../../session/consent'
import { engine } from '../../session/runner'
import { messageOf } from '../../../base/error_message'

/** The page's GPU worker. */
export const gpuClient = once(async (): Promise<GpuClient> => new (await import('../../../gpu')).GpuClient())

/** `.wgsl` files of the workspace. */
export const kernelFiles = (): { name: string; text: string }[] =>
  useWorkspace.getState().workspace.files.filter((f) => f.name.endsWith('.wgsl'))

export async function runSubject(subject: Subject, title: string): Promise<void> {
  await going('one', subject, title, async (signal) => {
    const { tokens } = useGpu.getState()
    const programs = await programsFor(subject, tokens, signal)
    const { version } = useRun.getState().result
    const report = await run(programs, subject, tokens, signal)
    if (!signal.aborted) useGpu.setState({ report: done(report, version) })
    if (!signal.aborted && report.kernelProblems?.length) useGpu.setState({ kernelProblems: report.kernelProblems })
    if (!signal.aborted && subject.kind === 'variant') keepVerdict(subject, version, report)
  })
}

/** Runs every registration of a pass that has a replacement, in turn; each leaf of the tree gets its verdict. */
export async function runVariants(pass: string, entries: readonly number[]): Promise<void> {
  const first: Subject = { kind: 'variant', pass, entry: entries[0] ?? 0 }
  await going('variants', first, 'every variant', async (signal) => {
    for (const [i, entry] of entries.entries()) {
      signal.throwIfAborted()
      const subject = { kind: 'variant', pass, entry } as const
      progress(`Variant ${i + 1} of ${entries.length}`, i / entries.length)
      try {
        const programs = await programsFor(subject, null, signal)
        const { version } = useRun.getState().result
        keepVerdict(subject, version, await run(programs, subject, null, signal, { samples: 0, quiet: true }))
      } catch (e) {
        signal.throwIfAborted()
        keepVerdict(subject, useRun.getState().result.version, null, messageOf(e))
      }
    }
  })
}

export async function runSweep(subject: Subject, title: string): Promise<void> {
  await going('sweep', subject, title, async (signal) => {
    let sweep: Sweep = { of: subjectKey(subject), title, device: null, points: [] }
    for (const [i, tokens] of SWEEP.entries()) {
      signal.throwIfAborted()
      progress(`${tokens.toLocaleString('en-US')} tokens`, i / SWEEP.length)
      const programs = await programsFor(subject, tokens, signal)
      const { version } = useRun.getState().result
      const report = await run(programs, subject, tokens, signal, {
        samples: 7,
        timeBudgetMs: 1500,
        referenceElements: 2 ** 17,
        quiet: true,
      })
      if (signal.aborted) return
      sweep = { ...sweep, device: report.device?.name ?? null, points: [...sweep.points, pointOf(tokens, report)] }
      useGpu.setState({ sweep: done(sweep, version) })
      // Larger token counts cannot run either.
      if (report.verdict.kind === 'cannot run') return
    }
  })
}

export function cancelGpuRun(): void {
  currentSession().cancel('gpu')
  useGpu.setState({ running: null, progress: null, cancelled: true })
}

/** The shapes at which a registration runs: the entered shapes where valid, else the defaults. */
export function shapesFor(subject: Extract<Subject, { kind: 'variant' }>): Record<string, number[]> {
  const report = useRun.getState().result.value
  const pass = report && passNamed(report, subject.pass)
  const entry = pass?.entries[subject.entry]
  if (!report || !pass || !entry) return {}
  const typed = useGpu.getState().shapes[subjectKey(subject)] ?? {}
  const shapes = defaultShapes(report, pass, entry)
  for (const { name, shape } of argumentsOf(entry)) {
    const own = typed[name] === undefined ? null : parseShape(typed[name], shape.length)
    if (own) shapes[name] = own
  }
  return shapes
}

/** @throws the signal's reason; a canceled run sends no request to the engine */
async function programsFor(subject: Subject, tokens: number | null, signal: AbortSignal): Promise<RunPrograms> {
  // The engine has only the matches of its own last run, so a stored report waits for the first live one.
  await runEnded()
  signal.throwIfAborted()
  const e = await engine()
  signal.throwIfAborted()
  if (subject.kind === 'graph') return e.graphProgram()
  if (subject.kind === 'match') return e.program(subject.pass, subject.match)
  const shapes = shapesFor(subject)
  return e.variantProgram(subject.pass, subject.entry, tokens === null ? shapes : withTokens(shapes, tokens))
}

async function run(
  programs: RunPrograms,
  subject: Subject,
  tokens: number | null,
  signal: AbortSignal,
  {
    quiet = false,
    ...more
  }: { samples?: number; timeBudgetMs?: number; referenceElements?: number; quiet?: boolean } = {},
): Promise<RunReport> {
  const { distribution, seed } = useGpu.getState()
  const gpu = await gpuClient()
  signal.throwIfAborted()
  // A registration's result buffers have the example's size; with a token count they get the sizes that the operators compute.
  const rows = subject.kind === 'variant' ? (tokens ?? tokensOf(shapesFor(subject))) : tokens
  const report = await gpu.run(
    programs,
    {
      distribution,
      seed,
      kernels: kernelFiles(),
      whole: subject.kind === 'graph',
      ...(rows === null ? {} : { tokens: rows }),
      ...more,
    },
    {
      signal,
      timeoutMs: subject.kind === 'graph' ? 180_000 : timeLimit(programs, rows),
      onProgress: (p) => !quiet && !signal.aborted && useGpu.setState({ progress: p }),
    },
  )
  return report
}

/**
 * Time limit: one minute, and more for inputs of hundreds of millions of elements, which are slow on a software device.
 */
function timeLimit(programs: RunPrograms, tokens: number | null): number {
  const elements = programs.unfused.inputs.map(({ meta }) =>
    meta.shape.reduce<number>(
      (n, d, i) => n * (i === 0 && tokens !== null ? tokens : typeof d === 'number' ? d : 1),
      1,
    ),
  )
  return 60_000 + Math.max(0, ...elements) / 2500
}

function keepVerdict(
  subject: Extract<Subject, { kind: 'variant' }>,
  version: number,
  report: RunReport | null,
  failure = '',
): void {
  const { verdicts } = useGpu.getState()
  const found: LeafVerdict = report
    ? {
        kind: report.verdict.kind,
        headline: report.verdict.headline,
        parts: report.verdict.parts,
        sentence: report.verdict.sentence,
        causes: report.verdict.causes,
        share: Math.max(0, ...report.outputs.map((o) => o.pair.share)),
      }
    : { kind: 'cannot run', headline: null, parts: [failure], sentence: failure, causes: [], share: 0 }
  const others = isOf(verdicts, version) ? verdicts.value : {}
  useGpu.setState({ verdicts: done({ ...others, [entryKey(subject.pass, subject.entry)]: found }, version) })
}

const progress = (text: string, fraction: number): void =>
  useGpu.setState({ progress: { stage: 'gpu', text, fraction } })

async function going(
  what: 'one' | 'variants' | 'sweep',
  of: Subject,
  title: string,
  work: (signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const signal = currentSession().only('gpu')
  useGpu.setState({
    running: what,
    of,
    report: NONE,
    failure: null,
    cancelled: false,
    ...(what === 'sweep' ? {} : { sweep: NONE }),
    progress: { stage: 'prepare', text: `Preparing ${title}`, fraction: 0 },
  })
  try {
    requireCode('Values are compared')
    await work(signal)
    if (!signal.aborted) useGpu.setState({ running: null, progress: null })
  } catch (e) {
    if (!signal.aborted) useGpu.setState({ running: null, progress: null, failure: messageOf(e) })
  }
}
