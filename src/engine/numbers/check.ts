/** Numeric check of a rewrite: runs each kind of match on each kind of input until one differs or time runs out. */
import { CannotRun } from '../../gpu/lower/lower'
import { Symbols } from '../../gpu/lower/symbols'
import { cutUnknown } from '../../gpu/lower/whole_graph'
import type { OutputReport, RunProgram, RunPrograms, RunValue } from '../../gpu/types'
import { INPUT_KINDS, type InputKind } from './inputs'
import { comparePlan, MAX_ELEMENTS, NotComparable, planOf, type Compared } from './reference_run'
import type { MatchKind } from './regions'
import { scaledPrograms } from './scaled'
import type { NumbersBudget, NumbersDetail, NumbersResult, NumbersVerdict } from './types'
import { withTrait } from '../../ops/traits'

class OutOfTime extends Error {}

/** Maximum number of kinds per check. */
const MAX_KINDS = 12
/** Placeholder for symbolic sizes while looking for calls without a definition. */
const SYMBOL = 8

/** Cached outcomes by kind: a fix search meets the same rewrite many times. */
export type KnownNumbers = Map<string, NumbersResult>

/**
 * Yields between two runs. The worst outcome counts: different, unknown, close, equal.
 * @param kinds of the matches that a change adds
 */
export function* checkNumbers(
  kinds: readonly MatchKind[],
  { started, ms }: NumbersBudget,
  known: KnownNumbers = new Map(),
): Generator<null, NumbersResult> {
  const found: NumbersResult[] = []
  for (const kind of kinds.slice(0, MAX_KINDS)) {
    let result = known.get(kind.key)
    if (!result) {
      const check = new KindCheck(started + ms, ms)
      yield* check.run(kind)
      result = check.result()
      if (!result.detail.timedOut) known.set(kind.key, result)
    }
    found.push(result)
    if (result.numbers === 'different' || result.detail.timedOut) break
  }
  return combined(found, kinds.length, Math.round(performance.now() - started))
}

/** The worst outcome of several kinds, with its figures. */
function combined(found: readonly NumbersResult[], kinds: number, ms: number): NumbersResult {
  const worst = [...found].sort(
    (a, b) => RANK.indexOf(b.numbers) - RANK.indexOf(a.numbers) || (b.detail.maxRel ?? 0) - (a.detail.maxRel ?? 0),
  )[0]
  if (!worst) return { numbers: 'unknown', detail: { ...NOTHING, reason: 'there is no new match to compare', ms } }
  const compared = found.reduce((sum, f) => sum + f.detail.compared, 0)
  const left = kinds - found.length
  const { numbers, detail } = worst
  if (left > 0 && numbers !== 'different' && numbers !== 'unknown') {
    const reason = `${compared} of ${kinds} kinds of matches were compared`
    return { numbers: 'unknown', detail: { ...detail, kinds, compared, reason, ms } }
  }
  return { numbers, detail: { ...detail, kinds, compared, ms } }
}

const RANK: readonly NumbersVerdict[] = ['equal', 'close', 'unknown', 'different']

const NOTHING: NumbersDetail = {
  kinds: 0,
  compared: 0,
  inputs: [],
  output: null,
  input: null,
  maxAbs: null,
  maxRel: null,
  operator: null,
  reason: null,
  ms: 0,
}

class KindCheck {
  private numbers: NumbersVerdict = 'equal'
  private detail: NumbersDetail = { ...NOTHING, kinds: 1, inputs: [] }

  constructor(
    private readonly ends: number,
    private readonly ms: number,
  ) {}

  result(): NumbersResult {
    return { numbers: this.numbers, detail: this.detail }
  }

  *run(kind: MatchKind): Generator<null, void> {
    if (kind.changedType) {
      const { output, at, before, after } = kind.changedType
      const [was, is] = [before, after].map((t) => t.replace(/\[.*/, '')) as [string, string]
      if (was !== is) this.detail.dtype = { output: at, before: was, after: is }
      return this.different(`${output} is ${before} before and ${after} after`, output)
    }
    const mixed = mixedProduct(kind.programs.fused)
    if (mixed) return this.different(mixed.reason, mixed.node)
    if (kind.problem !== undefined) return this.unknown(kind.problem, null)
    try {
      const small = scaledPrograms(kind.programs, MAX_ELEMENTS)
      if (small && (yield* this.takes(small.programs))) this.detail.sizesDividedBy = small.by
      else yield* this.compare(kind.programs)
      const wide = this.numbers === 'different' ? kind.widened?.() : null
      if (wide) yield* this.takes(wide, false)
    } catch (e) {
      if (e instanceof OutOfTime) {
        this.detail.timedOut = true
        this.unknown(outOfTime(this.ms, this.detail.inputs), null)
      } else if (e instanceof NotComparable) this.unknown(e.message, e.operator, e.untraced)
      else throw e
    }
  }

  private *compare(programs: RunPrograms): Generator<null, void> {
    const plan = planOf(comparable(programs))
    for (const distribution of INPUT_KINDS) {
      this.add(
        comparePlan(plan, distribution, () => this.late()),
        distribution,
      )
      if (this.numbers === 'different') return
      yield null
    }
    this.detail.compared = 1
  }

  /** Takes the outcome of other programs for the same kind if they can run. @param different true to take a difference too */
  private *takes(programs: RunPrograms, different = true): Generator<null, boolean> {
    const other = new KindCheck(this.ends, this.ms)
    try {
      yield* other.compare(programs)
    } catch (e) {
      if (e instanceof NotComparable) return false
      throw e
    }
    if (other.numbers === 'different' && !different) return false
    this.numbers = other.numbers
    this.detail = other.detail
    return true
  }

  private late(): void {
    if (performance.now() > this.ends) throw new OutOfTime()
  }

  private add({ verdict, outputs }: Compared, distribution: InputKind): void {
    const { detail } = this
    detail.inputs.push(distribution)
    const explained = verdict.causes.length > 0 && verdict.causes.every((c) => c.proven)
    if (explained) detail.known = verdict.causes.map((c) => c.text)
    const worst = outputs.filter((o) => !o.pair.equal).sort((a, b) => severity(b) - severity(a))[0]
    if (!worst) return
    if (verdict.kind === 'different' && !explained && !outputs.every((o) => withinRounding(o, distribution))) {
      this.figures(worst, distribution)
      return this.different(verdict.sentence, worst.unfused)
    }
    if (worst.pair.maxRel >= (detail.maxRel ?? 0)) this.figures(worst, distribution)
    if (this.numbers === 'equal') this.numbers = 'close'
  }

  private figures({ unfused, pair }: OutputReport, distribution: InputKind): void {
    Object.assign(this.detail, { output: unfused, input: distribution, maxAbs: pair.maxAbs, maxRel: pair.maxRel })
    if (pair.nanMismatches > 0) this.detail.nanMismatches = pair.nanMismatches
  }

  private different(reason: string, output: string): void {
    this.numbers = 'different'
    Object.assign(this.detail, { output, reason })
  }

  private unknown(reason: string, operator: string | null, untraced?: string): void {
    this.numbers = 'unknown'
    if (untraced !== undefined) this.detail.untraced = untraced
    Object.assign(this.detail, { reason, operator })
  }
}

/** @param done kinds of inputs whose outputs did not differ */
const outOfTime = (ms: number, done: readonly string[]): string =>
  ms <= 0
    ? 'the time limit for numeric comparisons was reached'
    : `the time limit of ${Math.round(ms)} ms for the numeric comparison was reached${done.length === 0 ? '' : ` after ${done.length} of ${INPUT_KINDS.length} kinds of inputs without a difference`}`

const severity = ({ pair }: OutputReport): number => (pair.nanMismatches > 0 ? Infinity : pair.relNorm)

/** Maximum ‖before - after‖ / ‖before‖ that rounding explains, by dtype; other dtypes are compared by their codes. */
const ROUNDING: Readonly<Record<string, number>> = { f32: 1e-4, bf16: 2 ** -7, f16: 2 ** -10 }

/**
 * True if single elements differ by more than one code, as cancellation in a sum causes, but the outputs as a whole do not. A fused
 * kernel may also turn infinities into NaNs that its parts do not produce.
 */
function withinRounding({ dtype, pair }: OutputReport, distribution: InputKind): boolean {
  if (pair.equal) return true
  if (pair.nanMismatches > 0 && distribution !== 'non-finite') return false
  return pair.maxSteps <= 1 || pair.relNorm <= (ROUNDING[dtype] ?? 0)
}

const takesOneDtype = withTrait('oneDtype')

/** A matrix product of two dtypes, which PyTorch can trace but refuses to run; null if there is none. */
function mixedProduct({ inputs, nodes }: RunProgram): { node: string; reason: string } | null {
  const dtypes = new Map([...inputs, ...nodes].map(({ name, meta }) => [name, meta?.dtype]))
  const dtypeOf = (a: RunValue): string[] =>
    typeof a === 'object' && a !== null && 'node' in a ? [dtypes.get(a.node) ?? []].flat() : []
  for (const { name, target, args } of nodes) {
    // Another overload, such as `mm.dtype`, takes the result's dtype.
    if (!takesOneDtype(target) || !target.endsWith('.default')) continue
    const [first, other] = new Set(args.flatMap(dtypeOf))
    if (first && other)
      return { node: name, reason: `${name} multiplies ${first} and ${other}, which PyTorch refuses.` }
  }
  return null
}

/**
 * Removes the calls without a definition that both sides have in common.
 * @throws NotComparable
 */
function comparable(programs: RunPrograms): RunPrograms {
  if (programs.unfused.outputs.length === 0)
    throw new NotComparable('nothing outside the match uses the result of the replacement', null)
  try {
    const { cut, programs: left } = cutUnknown(programs, new Symbols(SYMBOL))
    return cut.length > 0 && left.unfused.outputs.length > 0 ? left : programs
  } catch (e) {
    // planOf names the calls that cannot run.
    if (e instanceof CannotRun) return programs
    throw e
  }
}
