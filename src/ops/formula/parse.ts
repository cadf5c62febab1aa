/**
 * Reads formulas: Python's expressions over tensors and numbers, one per line; the last one is the result. A line before it may
 * name its value: `z = abs(self - target)`. Names are found, operators called and values combined by the `Scope` of an evaluation.
 */
import type { DispatchArg } from '../fake'

/** What an evaluation of a formula rests on. */
export interface Scope {
  /** The value of a name that no line of the formula gives. */
  named(name: string): DispatchArg
  call(name: string, args: readonly DispatchArg[], kwargs: Readonly<Record<string, DispatchArg>>): DispatchArg
  /** `a + b`, `a < b`, `-a` (b undefined) and their like. */
  combine(operator: string, a: DispatchArg, b?: DispatchArg): DispatchArg
  attribute(value: DispatchArg, name: string): DispatchArg
  /** C++ evaluates operands and arguments from the right. */
  readonly fromRight: boolean
}

type Locals = Map<string, DispatchArg>
type Code = (scope: Scope, locals: Locals) => DispatchArg

/** By precedence, the loosest first. */
const BINARY: readonly (readonly string[])[] = [
  ['or'],
  ['and'],
  ['<', '>', '<=', '>=', '==', '!=', 'is'],
  ['|'],
  ['&'],
  ['+', '-'],
  ['*', '/', '//', '%'],
]
const UNARY = BINARY.length
const CONSTANTS: Readonly<Record<string, DispatchArg>> = {
  True: true,
  False: false,
  None: null,
  inf: Infinity,
  nan: NaN,
  M_PI: Math.PI,
  M_LN2: Math.LN2,
  M_LN10: Math.LN10,
  M_SQRT1_2: Math.SQRT1_2,
  M_2_SQRTPI: 2 / Math.sqrt(Math.PI),
}
const TOKEN = /\s*(\d+\.?\d*(?:e[+-]?\d+)?|[A-Za-z_]\w*|'[^']*'|\*\*|\/\/|[<>=!]=|[-+*/%<>=&|~()[\],.:])/y

export const truth = (value: DispatchArg): boolean => value != null && value !== false && value !== 0 && value !== 0n

/** @throws Error for text that is no formula, which is a bug of Fusescope */
export function parseFormula(text: string): (scope: Scope) => DispatchArg {
  const lines = statements(text).map((tokens) => new Parser(tokens).statement())
  return (scope) => {
    const locals: Locals = new Map()
    return lines.reduce<DispatchArg>((_, line) => line(scope, locals), null)
  }
}

/** The tokens of each line; an open bracket continues it. */
function statements(text: string): string[][] {
  const lines: string[][] = []
  let depth = 0
  for (const line of text.trim().split('\n')) {
    const tokens = tokensOf(line)
    if (depth > 0) lines.at(-1)!.push(...tokens)
    else if (tokens.length > 0) lines.push(tokens)
    for (const t of tokens) depth += '(['.includes(t) ? 1 : ')]'.includes(t) ? -1 : 0
  }
  return lines
}

function tokensOf(line: string): string[] {
  const tokens: string[] = []
  let end = (TOKEN.lastIndex = 0)
  for (let m = TOKEN.exec(line); m; m = TOKEN.exec(line)) {
    tokens.push(m[1]!)
    end = TOKEN.lastIndex
  }
  if (line.slice(end).trim() !== '') throw new Error(`formula: unexpected ${line.slice(end)}`)
  return tokens
}

class Parser {
  private at = 0

  constructor(private readonly tokens: readonly string[]) {}

  /** `a, b = value`, `a = value` or an expression. */
  statement(): Code {
    const end = this.tokens.indexOf('=')
    if (end < 0 || this.tokens.slice(0, end).some((t) => '(['.includes(t))) return this.whole()
    const names = this.tokens.slice(0, end).filter((t) => t !== ',')
    this.at = end + 1
    const value = this.whole()
    return (scope, locals) => {
      const made = value(scope, locals)
      if (names.length === 1) locals.set(names[0]!, made)
      else for (const [i, name] of names.entries()) locals.set(name, scope.attribute(made, String(i)))
      return made
    }
  }

  /** An expression, or several as a tuple, to the end. */
  private whole(): Code {
    const items = [this.expression()]
    while (this.take(',')) items.push(this.expression())
    if (this.at < this.tokens.length)
      throw new Error(`formula: unexpected ${this.tokens[this.at]} in ${this.tokens.join(' ')}`)
    return items.length === 1 ? items[0]! : tuple(items)
  }

  private expression(): Code {
    const value = this.binary(0)
    if (!this.take('if')) return value
    const condition = this.binary(0)
    this.need('else')
    const other = this.expression()
    return (scope, locals) => (truth(condition(scope, locals)) ? value : other)(scope, locals)
  }

  private binary(level: number): Code {
    if (level === UNARY) return this.unary()
    let left = this.binary(level + 1)
    for (;;) {
      const operator = BINARY[level]!.find((o) => this.take(o))
      if (!operator) return left
      const negated = operator === 'is' && this.take('not')
      left = combined(negated ? 'is not' : operator, left, this.binary(level + 1))
    }
  }

  private unary(): Code {
    const operator = ['-', '~', 'not'].find((o) => this.take(o))
    if (operator) {
      const operand = operator === 'not' ? this.binary(2) : this.unary()
      if (operator === 'not') return (scope, locals) => !truth(operand(scope, locals))
      return (scope, locals) => scope.combine(operator, operand(scope, locals))
    }
    const base = this.postfix()
    return this.take('**') ? combined('**', base, this.unary()) : base
  }

  /** An atom with its attributes and items: `self.shape[1]`. */
  private postfix(): Code {
    let value = this.atom()
    for (;;)
      if (this.take('.')) {
        const [of, name] = [value, this.tokens[this.at++]!]
        value = (scope, locals) => scope.attribute(of(scope, locals), name)
      } else if (this.take('[')) {
        const [of, index] = [value, this.expression()]
        this.need(']')
        value = (scope, locals) => scope.attribute(of(scope, locals), String(index(scope, locals)))
      } else return value
  }

  private atom(): Code {
    const token = this.tokens[this.at++]
    if (token === undefined) throw new Error(`formula: ${this.tokens.join(' ')} ends where a value is expected`)
    if (token === '(' || token === '[') return this.group(token === '(' ? ')' : ']')
    if (token.startsWith("'")) return () => token.slice(1, -1)
    if (/^\d/.test(token)) {
      const number = /^\d+$/.test(token) ? BigInt(token) : Number(token)
      return () => number
    }
    if (Object.hasOwn(CONSTANTS, token)) return () => CONSTANTS[token]!
    const name = this.dotted(token)
    if (this.take('(')) return this.call(name)
    return (scope, locals) => (locals.has(name) ? locals.get(name)! : scope.named(name))
  }

  /** The name of an operator with its overload, where a call follows: `sum.dim_IntList`. */
  private dotted(first: string): string {
    let end = this.at
    while (this.tokens[end] === '.') end += 2
    if (this.tokens[end] !== '(') return first
    const name = [first, ...this.tokens.slice(this.at, end)].join('')
    this.at = end
    return name
  }

  private call(name: string): Code {
    const args: Code[] = []
    const kwargs: [string, Code][] = []
    while (!this.take(')')) {
      if (this.tokens[this.at + 1] === '=') {
        const key = this.tokens[this.at]!
        this.at += 2
        kwargs.push([key, this.expression()])
      } else args.push(this.expression())
      this.take(',')
    }
    return (scope, locals) => {
      const given = inOrder(args, scope, locals)
      return scope.call(name, given, Object.fromEntries(kwargs.map(([k, v]) => [k, v(scope, locals)])))
    }
  }

  private group(end: ')' | ']'): Code {
    const items: Code[] = []
    let commas = 0
    while (!this.take(end)) {
      items.push(this.expression())
      if (this.take(',')) commas++
    }
    if (end === ']') return (scope, locals) => inOrder(items, scope, locals)
    return commas > 0 ? tuple(items) : items[0]!
  }

  private take(token: string): boolean {
    const found = this.tokens[this.at] === token
    if (found) this.at++
    return found
  }

  private need(token: string): void {
    if (!this.take(token)) throw new Error(`formula: no ${token} in ${this.tokens.join(' ')}`)
  }
}

const tuple =
  (items: readonly Code[]): Code =>
  (scope, locals) => ({ kind: 'tuple', items: inOrder(items, scope, locals) })

function inOrder(items: readonly Code[], scope: Scope, locals: Locals): DispatchArg[] {
  if (!scope.fromRight) return items.map((item) => item(scope, locals))
  return items
    .toReversed()
    .map((item) => item(scope, locals))
    .reverse()
}

function combined(operator: string, left: Code, right: Code): Code {
  if (operator === 'and') return (scope, locals) => truth(left(scope, locals)) && truth(right(scope, locals))
  if (operator === 'or') return (scope, locals) => truth(left(scope, locals)) || truth(right(scope, locals))
  return (scope, locals) => {
    const [a, b] = inOrder([left, right], scope, locals)
    return scope.combine(operator, a!, b!)
  }
}
