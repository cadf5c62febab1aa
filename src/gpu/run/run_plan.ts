/** Plans a run: the number of tokens, the values of symbols, and fewer rows for the CPU. */
import { numel, type TensorView } from '../../ops/kernel'
import type { Role } from './inputs'
import { CannotRun, fixedInputsOf, inputRoles, lower, rowInputsOf, viewOf, type Lowered } from '../lower/lower'
import { sideOf } from './run_side'
import { Symbols } from '../lower/symbols'
import type { RunInput, RunProgram, RunPrograms, RunReport } from '../types'

/** Default value of a symbolic size without a token count. */
const DEFAULT_SYMBOL = 64

/** The plan of both sides: concrete sizes and lowered programs. */
export interface Plan {
  unfused: Lowered
  fused: Lowered
  tokens: number | null
  /** The role of each input, defined by the operator that takes it. */
  roles: ReadonlyMap<string, Role>
}

export class Planner {
  private readonly rowInputs: ReadonlySet<string>
  private readonly fixed: ReadonlySet<string>
  private readonly roles: ReadonlyMap<string, Role>
  private readonly symbols: Symbols

  constructor(
    private readonly programs: RunPrograms,
    private readonly tokens: number | null,
  ) {
    const { unfused, fused } = programs
    this.symbols = new Symbols(tokens ?? DEFAULT_SYMBOL)
    this.rowInputs = new Set([...rowInputsOf(unfused), ...rowInputsOf(fused)])
    this.fixed = new Set([...fixedInputsOf(unfused), ...fixedInputsOf(fused)])
    this.roles = new Map<string, Role>([...inputRoles(unfused), ...inputRoles(fused)])
  }

  /** The requested sizes, or else the match's own. */
  full(): Plan {
    return this.plan(this.tokens)
  }

  /**
   * The same programs on fewer rows if an input has more than `most` elements, which would take the CPU too long; the
   * remaining elements keep their values. Returns `full` itself if it is small enough.
   */
  reduced(full: Plan, most: number): Plan {
    const largest = Math.max(1, ...full.unfused.inputs.map((i) => numel(i.at.view.shape)))
    if (full.tokens === null || largest <= most) return full
    const rows = Math.max(1, Math.floor((full.tokens * most) / largest))
    return rows >= full.tokens ? full : this.plan(rows)
  }

  /** Records in the report what will run. Throws CannotRun if the two sides' outputs are not comparable. */
  describe(full: Plan, report: RunReport): void {
    const seen = new Map<string, TensorView>()
    for (const side of [full.unfused, full.fused]) {
      for (const { name, at } of side.inputs) seen.set(name, at.view)
      for (const note of side.notes) if (!report.notes.includes(note)) report.notes.push(note)
    }
    report.tokens = full.tokens
    report.inputs = [...seen].map(([name, v]) => ({ name, dtype: v.dtype, shape: [...v.shape] }))
    if (this.symbols.seen.size > 0)
      report.notes.push(`${[...this.symbols.seen].join(', ')} taken as ${this.symbols.value}`)
    report.notes.push(...strideNotes(full))
    report.unfused = sideOf(full.unfused)
    report.fused = sideOf(full.fused)
  }

  private plan(tokens: number | null): Plan {
    const { symbols, roles } = this
    const activation = this.activation()
    const own = activation ? symbols.resolve(activation.meta.shape[0]!) : null
    const replaced = new Set(own === null ? [] : this.inputsOf(own, Math.min(2, activation!.meta.shape.length)))
    const lowerWith = (program: RunProgram): Lowered =>
      lower(program, { symbols, tokens: own === null ? null : tokens, rowInputs: replaced, ownTokens: own })
    return {
      unfused: lowerWith(this.programs.unfused),
      fused: lowerWith(this.programs.fused),
      tokens: own === null ? null : (tokens ?? own),
      roles,
    }
  }

  /** The input whose first dimension is the token count: the first of two or more dimensions, else of one. */
  private activation(): RunInput | undefined {
    const rows = this.inputs().filter(({ name }) => this.rowInputs.has(name))
    return rows.find(({ meta }) => meta.shape.length >= 2) ?? rows.find(({ meta }) => meta.shape.length === 1)
  }

  /**
   * The inputs with one row per token: the activations, and all others of that size that an operator combines with them. A first
   * dimension that is not a token count (a weight passed as an activation) keeps its size.
   * @param least minimum number of dimensions of an input that is not an activation
   */
  private inputsOf(tokens: number, least: number): string[] {
    return this.inputs().flatMap(({ name, meta }) => {
      const rows = this.rowInputs.has(name) || (meta.shape.length >= least && !this.fixed.has(name))
      return rows && viewOf(name, meta, this.symbols).shape[0] === tokens ? [name] : []
    })
  }

  private inputs(): RunInput[] {
    const { unfused, fused } = this.programs
    return [...unfused.inputs, ...fused.inputs]
  }
}

/** Outputs of the two sides whose strides differ. Throws CannotRun if their number, dtypes or shapes differ. */
function strideNotes({ unfused, fused }: Plan): string[] {
  if (unfused.outputs.length !== fused.outputs.length)
    throw new CannotRun('the two sides return different numbers of outputs')
  return unfused.outputs.flatMap((output, i) => {
    const u = output.at.view
    const f = fused.outputs[i]!.at.view
    if (u.dtype !== f.dtype || String(u.shape) !== String(f.shape))
      throw new CannotRun(
        `output ${output.name} is ${u.dtype}[${u.shape.join(', ')}] unfused and ${f.dtype}[${f.shape.join(', ')}] fused`,
        'cannot compare',
      )
    return String(u.stride) === String(f.stride)
      ? []
      : [
          `${output.name} has stride [${u.stride.join(', ')}] unfused and [${f.stride.join(', ')}] fused; values are compared by index`,
        ]
  })
}
