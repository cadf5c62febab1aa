/**
 * Size expressions over a call's arguments: `ceil(numel(out) / 256)`, `size(input, -1) / 2`.
 * Numbers, argument names, + - * / % **, parentheses and the functions below.
 */
import { numel, type KernelCall, type TensorView } from '../../ops/kernel'

/** Maximum number of characters of an expression: it is read and evaluated by recursion. */
const MAX_EXPRESSION = 2000

/** `at`: offset in characters from the start of the expression. */
export class ExprError extends Error {
  constructor(
    message: string,
    readonly at: number,
  ) {
    super(message)
  }
}

/** Evaluates over a call and previously defined constants. Throws ExprError if the call lacks a value. */
export type Expr = (call: KernelCall, constants: ReadonlyMap<string, number>) => number

const dimension = (t: TensorView, d: number, at: number): number => {
  const i = d < 0 ? d + t.shape.length : d
  if (i < 0 || i >= t.shape.length) throw new ExprError(`there is no dimension ${d} of ${t.shape.length}`, at)
  return i
}
type OfTensor = (t: TensorView, args: readonly number[], at: number) => number
/** Functions whose first argument is a tensor's name. */
const OF_TENSOR: Readonly<Record<string, OfTensor>> = {
  size: (t, [d = 0], at) => t.shape[dimension(t, d, at)]!,
  stride: (t, [d = 0], at) => t.stride[dimension(t, d, at)]!,
  numel: (t) => numel(t.shape),
  rank: (t) => t.shape.length,
  offset: (t) => t.offset,
  rows: (t) => numel(t.shape.slice(0, -1)),
}
const OF_NUMBERS: Readonly<Record<string, (...x: number[]) => number>> = {
  ceil: Math.ceil,
  floor: Math.floor,
  round: Math.round,
  min: Math.min,
  max: Math.max,
  log2: Math.log2,
}

type Operators = ReadonlyMap<string | undefined, (a: number, b: number) => number>
const SUMS: Operators = new Map([
  ['+', (a, b) => a + b],
  ['-', (a, b) => a - b],
])
const PRODUCTS: Operators = new Map([
  ['*', (a, b) => a * b],
  ['/', (a, b) => a / b],
  ['%', (a, b) => a % b],
])

interface Token {
  text: string
  at: number
}

/** The type of a name in an expression: a tensor, a number, or null for an unknown name. */
export type NameKind = (name: string) => 'tensor' | 'value' | null

/** @param kindOf the tensors and other arguments that may be named @throws ExprError */
export function parseExpr(source: string, kindOf: NameKind): Expr {
  if (source.length > MAX_EXPRESSION)
    throw new ExprError(`the expression has ${source.length} characters, more than the limit of ${MAX_EXPRESSION}`, 0)
  return new ExprParser(source, kindOf).parse()
}

/** Recursive descent, one method for each precedence level. */
class ExprParser {
  private readonly tokens: readonly Token[]
  private readonly end: number
  private i = 0

  constructor(
    source: string,
    private readonly kindOf: NameKind,
  ) {
    this.end = source.length
    this.tokens = [...source.matchAll(/\d+(?:\.\d+)?(?:[eE][-+]?\d+)?|[A-Za-z_]\w*|\*\*|[^\s]/g)].map((m) => ({
      text: m[0],
      at: m.index,
    }))
  }

  parse(): Expr {
    const e = this.sum()
    if (this.i < this.tokens.length) throw new ExprError(`\`${this.peek()}\` is left over`, this.here())
    return e
  }

  private peek(): string | undefined {
    return this.tokens[this.i]?.text
  }

  private here(): number {
    return this.tokens[this.i]?.at ?? this.end
  }

  private take(text: string): boolean {
    return this.peek() === text && ++this.i > 0
  }

  private expect(text: string): void {
    if (this.take(text)) return
    const found = this.peek()
    throw new ExprError(`expected \`${text}\`, found ${found ? `\`${found}\`` : 'the end'}`, this.here())
  }

  private sum(): Expr {
    return this.fromLeft(SUMS, () => this.product())
  }

  private fromLeft(operators: Operators, operand: () => Expr): Expr {
    let left = operand()
    for (let apply = operators.get(this.peek()); apply; apply = operators.get(this.peek())) {
      this.i++
      const [of, a, b] = [apply, left, operand()]
      left = (c, k) => of(a(c, k), b(c, k))
    }
    return left
  }

  private product(): Expr {
    return this.fromLeft(PRODUCTS, () => this.power())
  }

  private power(): Expr {
    const base = this.atom()
    if (!this.take('**')) return base
    const exponent = this.power()
    return (c, k) => base(c, k) ** exponent(c, k)
  }

  private atom(): Expr {
    const at = this.here()
    const t = this.tokens[this.i++]?.text
    if (t === undefined) throw new ExprError('the expression ends too early', this.end)
    if (t === '(') {
      const e = this.sum()
      this.expect(')')
      return e
    }
    if (t === '-') {
      const e = this.power()
      return (c, k) => -e(c, k)
    }
    if (/^\d/.test(t)) return () => Number(t)
    if (!/^[A-Za-z_]/.test(t)) throw new ExprError(`\`${t}\` does not begin an expression`, at)
    if (this.peek() === '(') return this.functionCall(t, at)
    const kind = this.kindOf(t)
    if (kind === null) throw new ExprError(`there is no argument or constant \`${t}\``, at)
    if (kind === 'tensor')
      throw new ExprError(`\`${t}\` is a tensor; use size(${t}, 0), numel(${t}) or stride(${t}, 0)`, at)
    return valueOf(t, at)
  }

  private functionCall(name: string, at: number): Expr {
    this.expect('(')
    const ofTensor = Object.hasOwn(OF_TENSOR, name) ? OF_TENSOR[name]! : null
    if (!ofTensor && !Object.hasOwn(OF_NUMBERS, name))
      throw new ExprError(
        `there is no function \`${name}\`; use ${[...Object.keys(OF_TENSOR), ...Object.keys(OF_NUMBERS)].join(', ')}`,
        at,
      )
    const tensor = ofTensor ? this.tensorName(name) : ''
    const args: Expr[] = []
    while (this.peek() !== ')') {
      args.push(this.sum())
      if (!this.take(',')) break
    }
    this.expect(')')
    return (call, k) => {
      const numbers = args.map((a) => a(call, k))
      if (!ofTensor) return OF_NUMBERS[name]!(...numbers)
      const t = call.tensors[tensor]
      if (!t) throw new ExprError(`the tensor \`${tensor}\` is not given`, at)
      return ofTensor(t, numbers, at)
    }
  }

  /** The first argument of a function of a tensor, and the comma after it. */
  private tensorName(fn: string): string {
    const t = this.tokens[this.i]
    if (!t || this.kindOf(t.text) !== 'tensor')
      throw new ExprError(
        `${fn}() takes the name of a tensor, found ${t ? `\`${t.text}\`` : 'the end'}`,
        t?.at ?? this.end,
      )
    this.i++
    if (this.peek() !== ')') this.expect(',')
    return t.text
  }
}

/** A constant, or an attribute of the call. */
const valueOf =
  (name: string, at: number): Expr =>
  (call, constants) => {
    const constant = constants.get(name)
    if (constant !== undefined) return constant
    const v = call.attrs[name]
    if (typeof v === 'boolean') return v ? 1 : 0
    if (typeof v === 'number') return v
    throw new ExprError(
      `the argument \`${name}\` is ${v === null || v === undefined ? 'not given' : 'not a number'}`,
      at,
    )
  }
