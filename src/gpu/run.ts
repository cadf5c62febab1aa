/** Runs the two sides of a match and says whether they agree and what fusion buys. */
import type { Problem } from '../fx'
import { DTYPES } from '../ops/dtype'
import { numel, PARALLEL, type TensorView } from '../ops/kernel'
import { compareCodes } from './compare'
import { prepareCopy } from './copy'
import { gather } from './host'
import { fillBytes, makeInput, type Role } from './inputs'
import { CannotRun, lower, rowInputsOf, inputRoles, viewOf, type Lowered } from './lower'
import { openGpu } from './open_gpu'
import { ownerOf, setOwnKernels } from './registry'
import { ownKernels } from './user_kernel'
import { NoDefinition, runReference } from './reference'
import { Symbols } from './symbols'
import { timeInTurns } from './timing'
import type {
  Cause,
  Comparison,
  OutputReport,
  RunInput,
  RunOptions,
  RunProgram,
  RunPrograms,
  RunProgress,
  RunReport,
  SideReport,
  Spread,
} from './types'
import { findCauses, judge } from './verdict'
import { GpuFailure, KernelFailure, prepare, submit, type Gpu, type Prepared } from './webgpu'

/** Share of a copy's bandwidth from which on bytes, not arithmetic, set the time. */
const BOUND_BY_BYTES = 0.5
/** What a symbolic size becomes when no token count is given. */
const DEFAULT_SYMBOL = 64
const DEFAULTS = {
  distribution: 'normal',
  seed: 1,
  samples: 15,
  timeBudgetMs: 4000,
  referenceElements: 2 ** 21,
} as const

/** What the definitions made of the inputs, and where the unfused side left its tensors. */
interface Definitions {
  inputs: Map<string, Uint8Array>
  memory: Uint8Array[]
  /** Codes in row-major order; `fused` is null when an operator there has no definition. */
  outputs: { unfused: ArrayLike<number>; fused: ArrayLike<number> | null; pair: Comparison | null }[]
  undefinedOperator: string | null
}

type OnProgress = (progress: RunProgress) => void

/** What both sides share: sizes chosen, programs lowered. */
interface Plan {
  unfused: Lowered
  fused: Lowered
  tokens: number | null
}

/**
 * Never throws for what the user can cause: that is in `problems`. Rejects with an AbortError when `signal` fires.
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
    verdict: { kind: 'cannot run', sentence: '', causes: [] },
    unfused: null,
    fused: null,
    timing: null,
  }
  try {
    report.kernelProblems = takeKernels(options.kernels)
    if (report.kernelProblems.length > 0) throw new KernelFailure(report.kernelProblems)
    await new Run(programs, options, report, onProgress, aborted).go()
  } catch (e) {
    aborted()
    if (!(e instanceof CannotRun || e instanceof GpuFailure)) throw e
    if (e instanceof KernelFailure) report.kernelProblems = e.kernelProblems
    report.problems.push(e.message)
  }
  if (report.outputs.length === 0 && report.problems.length > 0)
    report.verdict = { kind: 'cannot run', sentence: `${capital(report.problems[0]!)}.`, causes: [] }
  return report
}

/** The kernels of the person's own that this run finds. @returns what is wrong with their headers */
export function takeKernels(files: RunOptions['kernels']): Problem[] {
  const { kernels, problems } = ownKernels(files ?? [])
  setOwnKernels(kernels)
  return problems
}

const capital = (s: string): string => s.charAt(0).toUpperCase() + s.slice(1)

class Run {
  private readonly settings: Required<Pick<RunOptions, keyof typeof DEFAULTS>>
  private readonly rowInputs: Set<string>
  private readonly roles: Map<string, Role>
  private readonly symbols: Symbols

  constructor(
    private readonly programs: RunPrograms,
    private readonly options: RunOptions,
    private readonly report: RunReport,
    private readonly onProgress: OnProgress,
    private readonly aborted: () => void,
  ) {
    this.settings = { ...DEFAULTS, ...withoutUndefined(options) }
    this.symbols = new Symbols(options.tokens ?? DEFAULT_SYMBOL)
    this.rowInputs = new Set([...rowInputsOf(programs.unfused), ...rowInputsOf(programs.fused)])
    this.roles = rolesOf([programs.unfused, programs.fused])
  }

  async go(): Promise<void> {
    this.tell('prepare', 'Working out shapes', 0)
    const full = this.plan(this.options.tokens ?? null)
    this.report.tokens = full.tokens
    this.describe(full)
    const small = this.referencePlan(full)

    let known: Definitions | null = null
    const define = async (): Promise<Definitions> => (known ??= await this.define(small))

    const found = this.options.device === 'reference' ? { gpu: null, reason: null } : await openGpu()
    this.aborted()
    if (!found.gpu || this.options.definitions !== false) await define()
    if (found.gpu) {
      try {
        await this.onGpu(found.gpu, full, (i, unfused, fused) =>
          this.output(full, i, 'webgpu', unfused, fused, known?.outputs[i] ?? null),
        )
      } catch (e) {
        this.aborted()
        if (!(e instanceof CannotRun || e instanceof GpuFailure) || e instanceof KernelFailure) throw e
        this.report.problems.push(e.message)
        this.report.outputs = []
      }
    } else if (found.reason) this.report.problems.push(found.reason)
    if (this.report.outputs.length === 0) {
      const { outputs, undefinedOperator } = await define()
      if (undefinedOperator) throw new CannotRun(undefinedOperator)
      this.report.outputs = outputs.map((r, i) => this.output(small, i, 'reference', r.unfused, r.fused!, r))
    }

    const causes =
      known && this.report.outputs.some((o) => o.referencePair?.equal === false) ? this.causes(small, known) : []
    const own = [...full.fused.steps, ...full.unfused.steps].flatMap((s) => ownerOf(s.kernel) ?? [])
    this.report.verdict = judge(this.report.outputs, causes, own[0] ?? null)
    this.tell('timing', 'Done', 1)
  }

  private causes(small: Plan, { inputs, memory }: Definitions): Cause[] {
    return findCauses(small.unfused, small.fused, memory, inputs, this.aborted)
  }

  /** What the definitions compute. An operator of the person's own has none: its side is then missing. */
  private async define(small: Plan): Promise<Definitions> {
    this.tell('reference', 'Running the definitions on the CPU', 0.05)
    await breathe()
    const inputs = this.makeInputs(small)
    const memory = runReference(small.unfused, inputs, this.aborted)
    let fused: Uint8Array[] | null = null
    let undefinedOperator: string | null = null
    try {
      fused = runReference(small.fused, inputs, this.aborted)
    } catch (e) {
      if (!(e instanceof NoDefinition)) throw e
      undefinedOperator = e.message
    }
    const outputs = small.unfused.outputs.map(({ at }, i) => {
      const f = small.fused.outputs[i]!.at
      const a = gather(at.view, memory[at.slot]!)
      const b = fused && gather(f.view, fused[f.slot]!)
      return { unfused: a, fused: b, pair: b && compareCodes(at.view.dtype, at.view.shape, a, b, a) }
    })
    return { inputs, memory, outputs, undefinedOperator }
  }

  private tell(stage: RunProgress['stage'], text: string, fraction: number): void {
    this.onProgress({ stage, text, fraction })
    this.aborted()
  }

  private plan(tokens: number | null): Plan {
    const { symbols, rowInputs } = this
    // A first dimension that is no token count (a weight that is passed as an activation) keeps its size.
    const own = this.tokensOf(rowInputs)
    const replaced = new Set(
      [...rowInputs].filter((name) => {
        const meta = this.metaOf(name)
        return meta && viewOf(name, meta, symbols).shape[0] === own
      }),
    )
    const lowerWith = (program: RunProgram): Lowered =>
      lower(program, { symbols, tokens: own === null ? null : tokens, rowInputs: replaced, ownTokens: own })
    return {
      unfused: lowerWith(this.programs.unfused),
      fused: lowerWith(this.programs.fused),
      tokens: own === null ? null : (tokens ?? own),
    }
  }

  private metaOf(name: string): RunInput['meta'] | undefined {
    const { unfused, fused } = this.programs
    return [...unfused.inputs, ...fused.inputs].find((i) => i.name === name)?.meta
  }

  /** The match's own token count: the first dimension of its first activation of two or more dimensions. */
  private tokensOf(rowInputs: ReadonlySet<string>): number | null {
    for (const name of rowInputs) {
      const meta = this.metaOf(name)
      if (meta && meta.shape.length >= 2) return this.symbols.resolve(meta.shape[0]!)
    }
    return null
  }

  private describe(full: Plan): void {
    const { report } = this
    const seen = new Map<string, TensorView>()
    for (const side of [full.unfused, full.fused]) {
      for (const { name, at } of side.inputs) seen.set(name, at.view)
      for (const note of side.notes) if (!report.notes.includes(note)) report.notes.push(note)
    }
    report.inputs = [...seen].map(([name, v]) => ({ name, dtype: v.dtype, shape: [...v.shape] }))
    if (this.symbols.seen.size > 0)
      report.notes.push(`${[...this.symbols.seen].join(', ')} taken as ${this.symbols.value}`)
    if (full.unfused.outputs.length !== full.fused.outputs.length)
      throw new CannotRun('cannot run: the two sides do not return equally many outputs')
    full.unfused.outputs.forEach((u, i) => {
      const f = full.fused.outputs[i]!
      if (u.at.view.dtype !== f.at.view.dtype || String(u.at.view.shape) !== String(f.at.view.shape))
        throw new CannotRun(
          `cannot compare: output ${u.name} is ${u.at.view.dtype}[${u.at.view.shape.join(', ')}] unfused and ${f.at.view.dtype}[${f.at.view.shape.join(', ')}] fused`,
        )
      if (String(u.at.view.stride) !== String(f.at.view.stride))
        report.notes.push(
          `${u.name} has stride [${u.at.view.stride.join(', ')}] unfused and [${f.at.view.stride.join(', ')}] fused; values are compared by index`,
        )
    })
    report.unfused = sideOf(full.unfused)
    report.fused = sideOf(full.fused)
  }

  /** The same programs on fewer rows when the CPU would take too long; every element that is there has the same value. */
  private referencePlan(full: Plan): Plan {
    const largest = Math.max(1, ...full.unfused.inputs.map((i) => numel(i.at.view.shape)))
    if (full.tokens === null || largest <= this.settings.referenceElements) return full
    const rows = Math.max(1, Math.floor((full.tokens * this.settings.referenceElements) / largest))
    if (rows >= full.tokens) return full
    this.report.referenceRows = rows
    return this.plan(rows)
  }

  private makeInputs(plan: Plan): Map<string, Uint8Array> {
    const { seed, distribution } = this.settings
    const made = new Map<string, Uint8Array>()
    for (const side of [plan.unfused, plan.fused])
      for (const { name, at } of side.inputs) {
        const bytes = side.slots[at.slot]!.bytes
        if (made.has(name)) continue
        this.aborted()
        made.set(name, makeInput(at.view, bytes, seed + hash(name), this.roles.get(name) ?? 'data', distribution))
      }
    return made
  }

  private async onGpu(
    gpu: Gpu,
    full: Plan,
    output: (i: number, unfused: ArrayLike<number>, fused: ArrayLike<number>) => OutputReport,
  ): Promise<void> {
    const { report, settings } = this
    const shared = new Map<string, GPUBuffer>()
    const sides: Prepared[] = []
    this.tell('gpu', `Running on ${gpu.name}`, 0.25)
    try {
      await gpu.guarded(async () => {
        for (const side of [full.unfused, full.fused])
          for (const { name, at } of side.inputs)
            if (!shared.has(name)) shared.set(name, gpu.buffer(side.slots[at.slot]!.bytes, name))
        for (const [name, bytes] of this.makeInputs(full)) gpu.upload(shared.get(name)!, bytes)
        for (const side of [full.unfused, full.fused]) {
          const prepared = await prepare(gpu, side, shared)
          sides.push(prepared)
          side.slots.forEach((slot, i) => {
            if (slot.init && 'fill' in slot.init)
              gpu.upload(prepared.buffers[i]!, fillBytes(slot.init.dtype, slot.init.fill, slot.bytes))
          })
          submit(gpu, prepared.launches)
        }
        await gpu.device.queue.onSubmittedWorkDone()
      })
      report.device = { name: gpu.name, fallback: gpu.fallback, timestamps: gpu.timestamps }
      report.unfused!.launches = sides[0]!.launches.length
      report.fused!.launches = sides[1]!.launches.length
      this.tell('compare', 'Comparing outputs', 0.45)
      for (let i = 0; i < full.unfused.outputs.length; i++) {
        const u = full.unfused.outputs[i]!.at
        const f = full.fused.outputs[i]!.at
        const a = gather(u.view, await gpu.download(sides[0]!.buffers[u.slot]!))
        const b = gather(f.view, await gpu.download(sides[1]!.buffers[f.slot]!))
        report.outputs.push(output(i, a, b))
        this.aborted()
      }
      if (settings.samples > 0) await this.time(gpu, sides)
    } finally {
      sides.forEach((s) => s.destroy())
      shared.forEach((b) => b.destroy())
    }
  }

  private async time(gpu: Gpu, [unfused, fused]: Prepared[]): Promise<void> {
    const { report, settings } = this
    if (unfused!.launches.length === 0 || fused!.launches.length === 0) return
    this.tell('timing', 'Timing', 0.5)
    await gpu.guarded(async () => {
      const copy = await prepareCopy(gpu, bytesOf(report.fused!))
      try {
        const { method, quantumNs, spreads } = await timeInTurns(
          gpu,
          [unfused!.launches, fused!.launches, copy.launches],
          { samples: settings.samples, budgetMs: settings.timeBudgetMs },
          (f) => this.tell('timing', 'Timing', 0.5 + 0.5 * f),
          this.aborted,
        )
        const gbps = copy.bytes / (spreads[2]!.median * 1e6)
        setTime(report.unfused!, spreads[0]!, gbps)
        setTime(report.fused!, spreads[1]!, gbps)
        const share = report.fused!.copyShare ?? 1
        if (gpu.traits.serial && share < BOUND_BY_BYTES)
          report.notes.push(
            `this adapter is a CPU and bound by arithmetic: the fused side moves its bytes at ${(100 * share).toFixed(0)} % of a copy's speed`,
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

  private output(
    plan: Plan,
    i: number,
    device: OutputReport['device'],
    a: ArrayLike<number>,
    b: ArrayLike<number>,
    reference: Definitions['outputs'][number] | null,
  ): OutputReport {
    const { name, at } = plan.unfused.outputs[i]!
    const { dtype, shape, stride } = at.view
    // The reference has the first rows, and row-major order puts them first.
    const against = (r: ArrayLike<number> | undefined, x: ArrayLike<number>): Comparison | null =>
      device === 'reference' || !r ? null : compareCodes(dtype, shape, r, x, r)
    return {
      unfused: name,
      fused: plan.fused.outputs[i]!.name,
      dtype: DTYPES[dtype].short,
      shape: [...shape],
      stride: [...stride],
      device,
      pair: compareCodes(dtype, shape, a, b, reference?.unfused ?? null),
      referencePair: reference?.pair ?? null,
      unfusedAgainstReference: against(reference?.unfused, a),
      fusedAgainstReference: against(reference?.fused ?? reference?.unfused, b),
    }
  }
}

function withoutUndefined<T extends object>(o: T): Partial<T> {
  return Object.fromEntries(Object.entries(o).filter(([, v]) => v !== undefined)) as Partial<T>
}

/** What each input stands for: the operator that takes it says. */
function rolesOf(programs: readonly RunProgram[]): Map<string, Role> {
  const roles = new Map<string, Role>()
  for (const program of programs) for (const [name, role] of inputRoles(program)) roles.set(name, role)
  return roles
}

function sideOf(lowered: Lowered): SideReport {
  const steps = lowered.steps.map((s) => ({
    node: s.node,
    target: s.target,
    launches: s.kernel.plan(s.call, PARALLEL).length,
    bytesRead: s.bytesRead,
    bytesWritten: s.bytesWritten,
  }))
  const sum = (pick: (s: (typeof steps)[number]) => number): number => steps.reduce((a, s) => a + pick(s), 0)
  return {
    launches: sum((s) => s.launches),
    bytesRead: sum((s) => s.bytesRead),
    bytesWritten: sum((s) => s.bytesWritten),
    steps,
    time: null,
    gbps: null,
  }
}

const bytesOf = (side: SideReport): number => side.bytesRead + side.bytesWritten

function setTime(side: SideReport, time: Spread, copyGbps: number): void {
  side.time = time
  side.gbps = bytesOf(side) / (time.median * 1e6)
  side.copyShare = side.gbps / copyGbps
}

/** A small stable number for a name, so that inputs of one run differ from each other. */
function hash(name: string): number {
  let h = 0
  for (let i = 0; i < name.length; i++) h = (Math.imul(h, 31) + name.charCodeAt(i)) | 0
  return h & 0xffff
}

/** Lets a cancel message in before long work. */
const breathe = (): Promise<void> => new Promise((r) => setTimeout(r, 0))
