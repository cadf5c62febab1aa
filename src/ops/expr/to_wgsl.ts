/** Prints expressions as WGSL. */
import { lanes } from '../dtype'
import { constant, literal } from '../kernels/strided'
import { Expr, type Fold, type Kind } from './expr'
import { schedule, type Statement } from './schedule'

/** The part of a shader that expressions need. */
export interface Printing {
  readonly wide: boolean
  helper(wgsl: string): void
  param(name: string, value: number): string
}

/** What the surrounding shader provides. */
export interface WgslContext {
  readonly shader: Printing
  given(name: string): string
  load?(tensor: string, at: readonly string[]): string
  store(out: string, at: readonly string[], value: string): string
  /** True if whole numbers are stored unchanged. */
  readonly wholes?: boolean
}

const ZEROS: Readonly<Record<Kind, string>> = { float: 'F32(0.0)', whole: 'I32(0)', truth: 'false' }
/** Number of partial sums in a loop: the error is smaller, and no addition waits for the previous one. */
const SIDES = 4

export class WgslPrinter {
  private readonly names = new Map<Expr | Fold, string>()

  constructor(private readonly context: WgslContext) {}

  private name(of: Expr | Fold, prefix: string): string {
    const known = this.names.get(of)
    if (known) return known
    const made = `${prefix}${this.names.size}`
    this.names.set(of, made)
    return made
  }

  expression(e: Expr): string {
    const known = this.names.get(e)
    if (known) return known
    const { op } = e
    if (op.type === 'number') return this.number(op.value, e.kind)
    if (op.type === 'given') return this.context.given(op.name)
    if (op.type === 'variable' || op.type === 'result') return this.variable(op.fold, op.at)
    const args = e.args.map((a) => this.expression(a))
    if (op.type === 'load') return this.context.load!(op.tensor, args)
    for (const helper of op.primitive.helpers) this.context.shader.helper(helper)
    return op.primitive.wgsl.replace(/\$(\d)/g, (_, i: string) => args[Number(i)]!)
  }

  private number(value: number, kind: Kind): string {
    if (kind === 'whole') return `I32(${value})`
    if (Number.isFinite(value)) return `F32(${literal(value)})`
    return `F32(${constant(this.context.shader, `special${this.names.size}`, value)})`
  }

  private variable(fold: Fold, at: number): string {
    const id = this.name(fold, 'f')
    return at < 0 ? `${id}_r` : `${id}_s${at}`
  }

  statements(list: readonly Statement[], indent = '  '): string {
    return lanes(list.map((s) => this.statement(s, indent)).join('\n'), this.context.shader.wide)
  }

  private statement(s: Statement, indent: string): string {
    if (s.type === 'fold') return this.fold(s.fold, s.body, indent)
    if (s.type === 'store') {
      const { out, at, value } = s.store
      const places = at.map((a) => this.expression(a))
      return `${indent}${this.context.store(out, places, this.expression(this.context.wholes && value.kind === 'whole' ? value : value.float()))}`
    }
    const text = this.expression(s.node)
    return `${indent}let ${this.name(s.node, 'v')} = ${text};`
  }

  private fold(fold: Fold, body: readonly Statement[], indent: string): string {
    const count = this.expression(fold.count)
    const r = this.variable(fold, -1)
    const states = fold.init.map((_, at) => this.variable(fold, at))
    const start = fold.init.map((e, at) => `${indent}var ${states[at]} = ${this.expression(e)};\n`).join('')
    const inner = `${indent}  `
    const lines = this.statements(body, inner)
    const next = fold.next.map((e) => this.expression(e))
    if (fold.order === 'apart')
      return start + this.sides(r, count, `${lines}\n${inner}${states[0]} = ${next[0]};`, states[0]!, indent)
    const later = states.length > 1
    const moved = states.map((s, at) => (later ? `let ${s}_next = ${next[at]};` : `${s} = ${next[at]};`))
    const ends = later ? states.map((s) => `${s} = ${s}_next;`) : []
    return `${start}${indent}for (var ${r} = 0; ${r} < ${count}; ${r}++) {
${[lines, ...[...moved, ...ends].map((l) => inner + l)].filter(Boolean).join('\n')}
${indent}}`
  }

  /** A sum as SIDES partial sums, which are added at the end. */
  private sides(r: string, count: string, step: string, state: string, indent: string): string {
    const all = Array.from({ length: SIDES }, (_, i) => (i === 0 ? state : `${state}_${i}`))
    const word = new RegExp(`\\b${state}\\b`, 'g')
    const steps = all.map(
      (s, i) => `${indent}  { let ${r} = ${r}_from${i === 0 ? '' : ` + ${i}`};\n${step.replace(word, s)} }`,
    )
    return `${all
      .slice(1)
      .map((s) => `${indent}var ${s} = ${ZEROS.float};\n`)
      .join('')}${indent}var ${r}_from = 0;
${indent}for (; ${r}_from + ${SIDES - 1} < ${count}; ${r}_from += ${SIDES}) {
${steps.join('\n')}
${indent}}
${indent}for (; ${r}_from < ${count}; ${r}_from++) {
${steps[0]}
${indent}}
${indent}${state} = (${all[0]} + ${all[1]}) + (${all[2]} + ${all[3]});`
  }
}

/** `fn NAME(PARAMS) -> F32` for floats, or `-> I32` for a whole number. */
export function functionOf(
  shader: Printing,
  name: string,
  params: readonly string[],
  value: Expr,
  load?: WgslContext['load'],
): string {
  const store = (_: string, __: unknown, text: string): string => `return ${text};`
  const printer = new WgslPrinter({ shader, given: (n) => n, store, wholes: true, ...(load && { load }) })
  const body = printer.statements(schedule([{ out: '', at: [], value }]))
  return `fn ${name}(${params.map((p) => `${p}: F32`).join(', ')}) -> ${value.kind === 'whole' ? 'I32' : 'F32'} {\n${body}\n}`
}
