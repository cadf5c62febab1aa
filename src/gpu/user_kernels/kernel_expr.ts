/**
 * Sizes written as expressions over a call's arguments: `ceil(numel(out) / 256)`, `size(input, -1) / 2`.
 * Numbers, the arguments' names, + - * / % **, parentheses and the functions below.
 */
import { numel, type KernelCall, type TensorView } from '../../ops/kernel'

/** `at`: characters from the start of the expression. */
export class ExprError extends Error {
  constructor(
    message: string,
    readonly at: number,
  ) {
    super(message)
  }
}

/** Evaluates over a call and the constants defined before. Throws ExprError where the call lacks what it asks. */
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

interface Token {
  text: string
  at: number
}

/** @param names the tensors and other arguments that may be named @throws ExprError */
export function parseExpr(source: string, known: (name: string) => 'tensor' | 'value' | null): Expr {
  const tokens: Token[] = [...source.matchAll(/\d+(?:\.\d+)?(?:[eE][-+]?\d+)?|[A-Za-z_]\w*|\*\*|[^\s]/g)].map((m) => ({
    text: m[0],
    at: m.index,
  }))
  let i = 0
  const end = source.length
  const peek = (): string | undefined => tokens[i]?.text
  const here = (): number => tokens[i]?.at ?? end
  const take = (text: string): boolean => peek() === text && ++i > 0
  const expect = (text: string): void => {
    if (!take(text)) throw new ExprError(`expected \`${text}\`, found ${peek() ? `\`${peek()}\`` : 'the end'}`, here())
  }

  function atom(): Expr {
    const at = here()
    const t = tokens[i++]?.text
    if (t === undefined) throw new ExprError('the expression ends too early', end)
    if (t === '(') {
      const e = sum()
      expect(')')
      return e
    }
    if (t === '-') {
      const e = power()
      return (c, k) => -e(c, k)
    }
    if (/^\d/.test(t)) return () => Number(t)
    if (!/^[A-Za-z_]/.test(t)) throw new ExprError(`\`${t}\` does not begin an expression`, at)
    if (peek() === '(') return callOf(t, at)
    const kind = known(t)
    if (kind === null) throw new ExprError(`there is no argument or constant \`${t}\``, at)
    if (kind === 'tensor')
      throw new ExprError(`\`${t}\` is a tensor; ask for size(${t}, 0), numel(${t}) or stride(${t}, 0)`, at)
    return (call, constants) => {
      const own = constants.get(t)
      if (own !== undefined) return own
      const v = call.attrs[t]
      if (typeof v === 'boolean') return v ? 1 : 0
      if (typeof v === 'number') return v
      throw new ExprError(`the argument \`${t}\` is ${v === null || v === undefined ? 'not given' : 'no number'}`, at)
    }
  }

  function callOf(name: string, at: number): Expr {
    expect('(')
    const ofTensor = Object.hasOwn(OF_TENSOR, name) ? OF_TENSOR[name]! : null
    let tensor = ''
    if (ofTensor) {
      const t = tokens[i]
      if (!t || known(t.text) !== 'tensor')
        throw new ExprError(
          `${name}() takes the name of a tensor, found ${t ? `\`${t.text}\`` : 'the end'}`,
          t?.at ?? end,
        )
      tensor = t.text
      i++
      if (peek() !== ')') expect(',')
    } else if (!Object.hasOwn(OF_NUMBERS, name))
      throw new ExprError(
        `there is no function \`${name}\`; use ${[...Object.keys(OF_TENSOR), ...Object.keys(OF_NUMBERS)].join(', ')}`,
        at,
      )
    const args: Expr[] = []
    while (peek() !== ')') {
      args.push(sum())
      if (!take(',')) break
    }
    expect(')')
    return (call, k) => {
      const numbers = args.map((a) => a(call, k))
      if (!ofTensor) return OF_NUMBERS[name]!(...numbers)
      const t = call.tensors[tensor]
      if (!t) throw new ExprError(`the tensor \`${tensor}\` is not given`, at)
      return ofTensor(t, numbers, at)
    }
  }

  function power(): Expr {
    const base = atom()
    if (!take('**')) return base
    const exponent = power()
    return (c, k) => base(c, k) ** exponent(c, k)
  }

  function product(): Expr {
    let left = power()
    for (;;) {
      const a = left
      if (take('*')) {
        const b = power()
        left = (c, k) => a(c, k) * b(c, k)
      } else if (take('/')) {
        const b = power()
        left = (c, k) => a(c, k) / b(c, k)
      } else if (take('%')) {
        const b = power()
        left = (c, k) => a(c, k) % b(c, k)
      } else return left
    }
  }

  function sum(): Expr {
    let left = product()
    for (;;) {
      const a = left
      if (take('+')) {
        const b = product()
        left = (c, k) => a(c, k) + b(c, k)
      } else if (take('-')) {
        const b = product()
        left = (c, k) => a(c, k) - b(c, k)
      } else return left
    }
  }

  const e = sum()
  if (i < tokens.length) throw new ExprError(`\`${peek()}\` is left over`, here())
  return e
}
