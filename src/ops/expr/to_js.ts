/**
 * Runs expressions in JavaScript, in float64: step by step for LANES elements at a time, with each value in an array. The page's
 * policy forbids code made from text, and a call per value takes ten times as long.
 */
import { type Expr, type Fold, given as named } from './expr'
import type { Lanes, Primitive } from './primitives'
import { contiguousStrides } from '../strides'
import { schedule, type Statement } from './schedule'

const LANES = 512

/** A tensor's values in row-major order. */
export interface Laid {
  readonly values: Float32Array | Float64Array
  readonly stride: readonly number[]
}

/** Lines of `cols` elements: line i begins at `begins(i)` in `values`, or is a single value there if `step` is 0. */
export interface Lines {
  readonly values: Float32Array | Float64Array
  readonly cols: number
  begins(line: number): number
  readonly step: 0 | 1
}

/** An operand's values, by the element's row-major number. */
export type Given = Float32Array | Lines | number | ((element: number) => number)

export interface JsContext {
  /** Names and sizes of the index space. */
  readonly over: readonly (readonly [name: string, size: number])[]
  given?(name: string): Given
  load?(tensor: string): Laid
  store(out: string): Laid
}

/** Runs the statements for each index of `over`. */
export function execute(statements: readonly Statement[], context: JsContext): void {
  const compiler = new Compiler(context)
  const run = compiler.block(statements)
  const count = context.over.reduce((n, [, size]) => n * size, 1)
  for (let from = 0; from < count; from += LANES) {
    const n = Math.min(LANES, count - from)
    for (const start of compiler.starts) start(n, from)
    run(n, from)
  }
}

/** The values of an expression for the elements 0 to `count`; `values` may be one of the given arrays, which is overwritten. */
export function evaluate(
  count: number,
  value: Expr,
  given: (name: string) => Given,
  load?: JsContext['load'],
  values = new Float32Array(count),
): Float32Array {
  const own = value.op.type === 'given' ? given(value.op.name) : null
  if (own instanceof Float32Array) return own
  execute(schedule([{ out: '', at: [named('e', 'whole')], value }]), {
    over: [['e', count]],
    given,
    ...(load && { load }),
    store: () => ({ values, stride: [1] }),
  })
  return values
}

/** Computes the elements `from` to `from + n`. */
type Step = (n: number, from: number) => void

class Compiler {
  /** Work at the beginning of each block. */
  readonly starts: Step[] = []
  private readonly values = new Map<Expr, Lanes>()
  private readonly names = new Map<string, Lanes>()
  private readonly folds = new Map<Fold, { readonly r: Lanes; readonly states: readonly Lanes[] }>()
  private steps: Step[] = []
  private readonly inner: readonly number[]

  constructor(private readonly context: JsContext) {
    this.inner = contiguousStrides(context.over.map(([, size]) => size))
  }

  block(list: readonly Statement[]): Step {
    const outer = this.steps
    this.steps = []
    for (const s of list) {
      if (s.type === 'fold') this.loop(s.fold, s.body)
      else if (s.type === 'let') this.value(s.node)
      else {
        const { values, stride } = this.context.store(s.store.out)
        const [value, place] = [this.value(s.store.value), this.places(s.store.at, stride)]
        this.steps.push((n, from) => {
          if (place) for (let k = 0; k < n; k++) values[place[k]!] = value[k]!
          else values.set(n === LANES ? value : value.subarray(0, n), from)
        })
      }
    }
    const steps = this.steps
    this.steps = outer
    return (n, from) => {
      for (const step of steps) step(n, from)
    }
  }

  private statesOf(fold: Fold): { readonly r: Lanes; readonly states: readonly Lanes[] } {
    let known = this.folds.get(fold)
    if (!known) {
      known = { r: new Float64Array(LANES), states: fold.init.map(() => new Float64Array(LANES)) }
      this.folds.set(fold, known)
    }
    return known
  }

  private value(e: Expr): Lanes {
    const { op } = e
    if (op.type === 'variable' || op.type === 'result') {
      const { r, states } = this.statesOf(op.fold)
      return op.at < 0 ? r : states[op.at]!
    }
    if (op.type === 'given') return this.given(op.name)
    const known = this.values.get(e)
    if (known) return known
    const out = new Float64Array(LANES)
    if (op.type === 'number') out.fill(op.value)
    else if (op.type === 'apply')
      this.steps.push(
        applied(
          op.primitive,
          out,
          e.args.map((a) => this.value(a)),
        ),
      )
    else {
      const { values, stride } = this.context.load!(op.tensor)
      const place = this.places(e.args, stride)
      this.steps.push((n, from) => {
        if (place) for (let k = 0; k < n; k++) out[k] = values[place[k]!]!
        else out.set(values.subarray(from, from + n))
      })
    }
    this.values.set(e, out)
    return out
  }

  private given(name: string): Lanes {
    let lanes = this.names.get(name)
    if (!lanes) {
      lanes = new Float64Array(LANES)
      this.names.set(name, lanes)
      const d = this.context.over.findIndex(([index]) => index === name)
      const value = d < 0 ? this.context.given!(name) : null
      if (typeof value === 'number') lanes.fill(value)
      else
        this.starts.push(
          value === null ? counting(lanes, this.inner[d]!, this.context.over[d]![1]) : reading(lanes, value),
        )
    }
    return lanes
  }

  /** Null if the elements are in order. */
  private places(at: readonly Expr[], stride: readonly number[]): Lanes | null {
    const { over } = this.context
    const inOrder = (i: Expr, d: number): boolean =>
      i.op.type === 'given' && i.op.name === over[d]?.[0] && stride[d] === this.inner[d]
    if (at.length === over.length && at.every(inOrder)) return null
    const indices = at.map((i) => this.value(i))
    if (indices.length === 1 && stride[0] === 1) return indices[0]!
    const out = new Float64Array(LANES)
    this.steps.push((n) => {
      out.fill(0, 0, n)
      for (let d = 0; d < indices.length; d++) {
        const [index, by] = [indices[d]!, stride[d]!]
        for (let k = 0; k < n; k++) out[k]! += index[k]! * by
      }
    })
    return out
  }

  private loop(fold: Fold, body: readonly Statement[]): void {
    const { r, states } = this.statesOf(fold)
    const count = this.value(fold.count)
    const same = fold.count.op.type === 'number'
    const init = fold.init.map((e) => this.value(e))
    const outer = this.steps
    this.steps = []
    this.steps.push(this.block(body))
    const next = fold.next.map((e) => this.value(e))
    const steps = this.steps
    this.steps = outer
    // A single state, updated equally often for all elements: the new value can replace the old one at once.
    const later = same && next.length === 1 ? states : next.map(() => new Float64Array(LANES))
    this.steps.push((n, from) => {
      states.forEach((state, s) => state.set(init[s]!))
      let end = 0
      for (let k = 0; k < n; k++) end = Math.max(end, count[k]!)
      for (let i = 0; i < end; i++) {
        r.fill(i, 0, n)
        for (const step of steps) step(n, from)
        for (let s = 0; s < next.length; s++) {
          const [to, from, state] = [later[s]!, next[s]!, states[s]!]
          for (let k = 0; k < n; k++) to[k] = same || i < count[k]! ? from[k]! : state[k]!
        }
        for (let s = 0; s < next.length && later !== states; s++) {
          const [to, from] = [states[s]!, later[s]!]
          for (let k = 0; k < n; k++) to[k] = from[k]!
        }
      }
    })
  }
}

/** The index in a dimension of `size` with `inner` elements inside it. */
const counting =
  (out: Lanes, inner: number, size: number): Step =>
  (n, from) => {
    let index = Math.floor(from / inner) % size
    let rest = inner - (from % inner)
    for (let k = 0; k < n; k++) {
      out[k] = index
      if (--rest > 0) continue
      rest = inner
      if (++index === size) index = 0
    }
  }

function reading(out: Lanes, value: Exclude<Given, number>): Step {
  if (typeof value === 'function')
    return (n, from) => {
      for (let k = 0; k < n; k++) out[k] = value(from + k)
    }
  if (value instanceof Float32Array) return (n, from) => out.set(value.subarray(from, from + n))
  const { values, cols, step } = value
  return (n, from) => {
    let [line, col] = [Math.floor(from / cols), from % cols]
    for (let k = 0; k < n; line++, col = 0) {
      const end = Math.min(n, k + cols - col)
      const at = value.begins(line) + col * step
      if (step === 0) out.fill(values[at]!, k, end)
      else out.set(values.subarray(at, at + end - k), k)
      k = end
    }
  }
}

function applied({ js, loop }: Primitive, out: Lanes, args: readonly Lanes[]): Step {
  const [a, b, c] = args as [Lanes, Lanes, Lanes]
  if (loop) return (n) => loop(out, n, a, b, c)
  if (args.length === 1)
    return (n) => {
      for (let k = 0; k < n; k++) out[k] = js(a[k]!)
    }
  if (args.length === 2)
    return (n) => {
      for (let k = 0; k < n; k++) out[k] = js(a[k]!, b[k]!)
    }
  return (n) => {
    for (let k = 0; k < n; k++) out[k] = js(a[k]!, b[k]!, c[k]!)
  }
}
