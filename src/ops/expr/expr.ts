/**
 * Expressions of kernels. A kernel computes the same expression on the CPU (to_js.ts, in float64 except where it rounds)
 * and on the GPU (to_wgsl.ts, in float32).
 */
import {
  ADD,
  SUBTRACT,
  MULTIPLY,
  DIVIDE,
  QUOTIENT,
  REST,
  AND,
  OR,
  NOT,
  WHERE,
  TO_WHOLE,
  TO_FLOAT,
  F32,
  WGSL_NAN,
  WGSL_ORDER,
  TRUTH,
  COMPARISONS,
  primitive,
  type Primitive,
} from './primitives'

/** Truth values are 0 and 1 in JavaScript. Whole numbers are int32. */
export type Kind = 'float' | 'whole' | 'truth'

type Op =
  | { readonly type: 'number'; readonly value: number }
  /** An index of the element, or an operand that the surrounding kernel reads. */
  | { readonly type: 'given'; readonly name: string }
  /** The element of a tensor at the indices `args`. An element outside the tensor may have any value. */
  | { readonly type: 'load'; readonly tensor: string }
  | { readonly type: 'apply'; readonly primitive: Primitive }
  /** The loop variable of a fold (-1), or one of its states. */
  | { readonly type: 'variable'; readonly fold: Fold; readonly at: number }
  /** A state after the last iteration. */
  | { readonly type: 'result'; readonly fold: Fold; readonly at: number }

export type Operand = Expr | number

export class Expr {
  /** The folds whose variables occur in the expression. */
  readonly scopes: ReadonlySet<Fold>

  constructor(
    readonly op: Op,
    readonly kind: Kind,
    readonly args: readonly Expr[] = [],
  ) {
    const own = op.type === 'variable' ? [op.fold] : op.type === 'result' ? [...op.fold.scopes] : []
    this.scopes = new Set([...own, ...args.flatMap((a) => [...a.scopes])])
  }

  plus(b: Operand): Expr {
    return b === 0 && this.kind === 'whole' ? this : arithmetic(ADD, this, b)
  }
  minus(b: Operand): Expr {
    return b === 0 && this.kind === 'whole' ? this : arithmetic(SUBTRACT, this, b)
  }
  times(b: Operand): Expr {
    return b === 1 ? this : arithmetic(MULTIPLY, this, b)
  }
  /** For whole numbers: the quotient truncated towards zero. */
  over(b: Operand): Expr {
    if (b === 1) return this
    return arithmetic(this.kind === 'whole' ? QUOTIENT : DIVIDE, this, b)
  }
  /** The remainder of an integer division, with the sign of this number. */
  mod(b: Operand): Expr {
    return b === 1 ? whole(0) : arithmetic(REST, this, b)
  }
  eq(b: Operand): Expr {
    return compared(this, '==', b)
  }
  ne(b: Operand): Expr {
    return this.eq(b).not()
  }
  lt(b: Operand): Expr {
    return compared(this, '<', b)
  }
  le(b: Operand): Expr {
    return compared(this, '<=', b)
  }
  gt(b: Operand): Expr {
    return compared(this, '>', b)
  }
  ge(b: Operand): Expr {
    return compared(this, '>=', b)
  }
  and(b: Expr): Expr {
    return apply(AND, 'truth', this, b)
  }
  or(b: Expr): Expr {
    return apply(OR, 'truth', this, b)
  }
  not(): Expr {
    return apply(NOT, 'truth', this)
  }
  /** A float without its fraction, as a whole number. */
  whole(): Expr {
    return this.kind === 'whole' ? this : apply(TO_WHOLE, 'whole', this)
  }
  float(): Expr {
    if (this.kind === 'truth') return where(this, 1, 0)
    return this.kind === 'float' ? this : apply(TO_FLOAT, 'float', this)
  }
  /** True unless zero; NaN is true. */
  truth(): Expr {
    return this.kind === 'truth' ? this : apply(TRUTH, 'truth', this)
  }
  /** Rounded to float32 on the CPU, as every step is on a GPU. */
  f32(): Expr {
    const at = this.op.type === 'apply' && this.kind === 'float' ? this.op.primitive.f32 : undefined
    return at ? apply(at, 'float', ...this.args) : apply(F32, 'float', this)
  }
}

/** A loop over whole numbers from 0: the results of `init` and of the body's expressions, iteration by iteration. */
export class Fold {
  readonly next: readonly Expr[]
  /** The values that each iteration stores. */
  readonly stores: readonly Store[]
  readonly scopes: ReadonlySet<Fold>

  /** @param order `apart`: a sum whose terms a GPU may add in another order */
  constructor(
    readonly count: Expr,
    readonly init: readonly Expr[],
    body: (r: Expr, state: Expr[]) => { next: readonly Expr[]; stores?: readonly Store[] },
    readonly order: 'in order' | 'apart' = 'in order',
  ) {
    this.scopes = new Set()
    const variable = (at: number, kind: Kind): Expr => new Expr({ type: 'variable', fold: this, at }, kind)
    const made = body(
      variable(-1, 'whole'),
      init.map((e, at) => variable(at, e.kind)),
    )
    this.next = made.next
    this.stores = made.stores ?? []
    const all = [count, ...init, ...made.next, ...this.stores.flatMap((s) => [...s.at, s.value])]
    this.scopes = new Set(all.flatMap((e) => [...e.scopes]).filter((f) => f !== this))
  }

  result(at: number): Expr {
    return new Expr({ type: 'result', fold: this, at }, this.init[at]!.kind)
  }
}

/** Stores `value` in element `at` of an output. */
export interface Store {
  readonly out: string
  readonly at: readonly Expr[]
  readonly value: Expr
}

export const apply = (primitive: Primitive, kind: Kind, ...args: readonly Expr[]): Expr =>
  new Expr({ type: 'apply', primitive }, kind, args)

/** A function of floats. */
export const fn =
  (wgsl: string, js: Primitive['js'], ...helpers: readonly string[]) =>
  (...args: readonly Operand[]): Expr =>
    apply({ wgsl, js, helpers }, 'float', ...args.map((a) => numeric(a, 'float')))

/** A condition of floats. */
export const test =
  (wgsl: string, js: (a: number, b: number) => boolean, ...helpers: readonly string[]) =>
  (...args: readonly Expr[]): Expr =>
    apply({ wgsl, js: (a, b) => Number(js(a!, b!)), helpers }, 'truth', ...args)

export const number = (value: number): Expr => new Expr({ type: 'number', value }, 'float')

export const whole = (value: number): Expr => new Expr({ type: 'number', value }, 'whole')

export const TRUE = (): Expr => whole(0).eq(0)

export const given = (name: string, kind: Kind = 'float'): Expr => new Expr({ type: 'given', name }, kind)

export const load = (tensor: string, ...at: readonly Operand[]): Expr =>
  new Expr(
    { type: 'load', tensor },
    'float',
    at.map((i) => numeric(i, 'whole')),
  )

/** Both values are computed in any case. */
export function where(condition: Expr, a: Operand, b: Operand): Expr {
  const kind = a instanceof Expr ? a.kind : b instanceof Expr ? b.kind : 'float'
  return apply(WHERE, kind, condition, numeric(a, kind), numeric(b, kind))
}

export const all = (tests: readonly Expr[]): Expr => tests.reduce((a, b) => a.and(b), TRUE())

/** The states after `count` iterations. */
export function fold(count: Operand, init: readonly Expr[], body: (r: Expr, state: Expr[]) => readonly Expr[]): Expr[] {
  const made = new Fold(numeric(count, 'whole'), init, (r, state) => ({ next: body(r, state) }))
  return init.map((_, at) => made.result(at))
}

/** The sum of `term(r)`, r below `count`. */
export const sum = (count: Operand, term: (r: Expr) => Expr): Expr =>
  new Fold(numeric(count, 'whole'), [number(0)], (r, [s]) => ({ next: [s!.plus(term(r))] }), 'apart').result(0)

/** The number of the part of `size` that contains an index; an index is never negative. */
export const partOf = (i: Expr, size: number): Expr => {
  const power = Math.log2(size)
  if (!Number.isInteger(power)) return i.over(size)
  return power === 0
    ? i
    : apply(
        primitive(
          `($0 >> U32(${power}u))`,
          (a) => Math.floor(a! / size),
          (out, n, a) => {
            for (let k = 0; k < n; k++) out[k] = a[k]! >> power
          },
        ),
        'whole',
        i,
      )
}

const numeric = (x: Operand, kind: Kind): Expr =>
  typeof x === 'number' ? new Expr({ type: 'number', value: x }, kind) : x

const arithmetic = (p: Primitive, a: Expr, b: Operand): Expr => apply(p, a.kind, a, numeric(b, a.kind))

/** A comparison with NaN is false. */
function compared(a: Expr, sign: keyof typeof COMPARISONS, b: Operand): Expr {
  const js = COMPARISONS[sign] as Primitive['js']
  const made: Primitive =
    a.kind === 'whole'
      ? { wgsl: `($0 ${sign} $1)`, js, helpers: [] }
      : {
          wgsl: `((order($0) ${sign} order($1)) & ((nan_at($0) | nan_at($1)) == U32(0u)))`,
          js,
          helpers: [WGSL_NAN, WGSL_ORDER],
        }
  return apply(made, 'truth', a, numeric(b, a.kind))
}
