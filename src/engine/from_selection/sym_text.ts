/** Symbolic sizes as Python over the pattern's inputs, and as example numbers. */
import type { Dim } from '../../fx'
import { isSize } from '../../fx/code/sizes'
import type { SelectionInput } from './types'

const SYMBOL = /\b[a-z]+\d+\b/g

/** Example values of symbols: different even sizes, so that no two are equal by accident, nor to a known one. */
export class ExampleSizes {
  private readonly values = new Map<string, number>()
  private next = 64

  /** @param known sizes that are no symbols */
  constructor(private readonly known: ReadonlySet<number> = new Set()) {}

  /** @returns null for an expression beyond integer arithmetic */
  of(dim: Dim): number | null {
    if (typeof dim === 'number') return dim
    return !isSize(dim) ? null : new Evaluation(dim, (name) => this.symbol(name)).run()
  }

  private symbol(name: string): number {
    let value = this.values.get(name)
    if (value === undefined) {
      while (this.known.has(this.next)) this.next += 22
      this.values.set(name, (value = this.next))
      this.next += 22
    }
    return value
  }
}

/** Python that reads a symbolic size from the shapes of the inputs; null if they do not have it. */
export function sizeCode(expr: string, inputs: readonly SelectionInput[]): string | null {
  if (!isSize(expr)) return null
  const direct = dimensionWith(expr, inputs)
  if (direct !== null) return direct
  let known = true
  const code = expr.replace(SYMBOL, (symbol) => {
    const found = dimensionWith(symbol, inputs)
    known &&= found !== null
    return found ?? symbol
  })
  return known && /^[\w .()[\]*+\-/%,]*$/.test(code) && !/\b(?:Max|Min|Mod|PythonMod|FloorDiv|CleanDiv)\b/.test(code)
    ? code
    : null
}

function dimensionWith(expr: string, inputs: readonly SelectionInput[]): string | null {
  for (const { node, name } of inputs) {
    const { val } = node.meta
    const at = val?.kind === 'tensor' ? val.shape.indexOf(expr) : -1
    if (at >= 0) return `${name}.shape[${at}]`
  }
  return null
}

/** Integer arithmetic as sympy prints it: `2*s72 + 1`, `(s72//2)`, `s70**2`, `Max(1, u0)`, `Mod(s72, 8)`. */
class Evaluation {
  private readonly tokens: string[]
  private at = 0

  constructor(
    text: string,
    private readonly symbol: (name: string) => number,
  ) {
    this.tokens = text.match(/\*\*|\/\/|[A-Za-z_]\w*|\d+|[-+*/(),]/g) ?? []
  }

  run(): number | null {
    const value = this.sum()
    return value !== null && this.at === this.tokens.length && Number.isSafeInteger(value) ? value : null
  }

  private sum(): number | null {
    let value = this.product()
    for (let sign = this.take('+', '-'); sign; sign = this.take('+', '-')) {
      const next = this.product()
      if (value === null || next === null) return null
      value = sign === '+' ? value + next : value - next
    }
    return value
  }

  private product(): number | null {
    let value = this.power()
    for (let sign = this.take('*', '//', '/'); sign; sign = this.take('*', '//', '/')) {
      const next = this.power()
      if (value === null || next === null) return null
      value = sign === '*' ? value * next : Math.floor(value / next)
    }
    return value
  }

  private power(): number | null {
    const base = this.atom()
    if (!this.take('**')) return base
    const exponent = this.atom()
    return base === null || exponent === null ? null : base ** exponent
  }

  private atom(): number | null {
    if (this.take('-')) {
      const value = this.atom()
      return value === null ? null : -value
    }
    const token = this.tokens[this.at++]
    if (token === undefined) return null
    if (/^\d/.test(token)) return Number(token)
    if (token === '(') {
      const value = this.sum()
      return this.take(')') ? value : null
    }
    return /^[A-Za-z_]/.test(token) ? (this.take('(') ? this.call(token) : this.symbol(token)) : null
  }

  private call(name: string): number | null {
    const args = [this.sum()]
    while (this.take(',')) args.push(this.sum())
    if (!this.take(')') || args.includes(null)) return null
    const [a, b] = args as [number, number]
    if (name === 'Max') return Math.max(...(args as number[]))
    if (name === 'Min') return Math.min(...(args as number[]))
    if (name === 'Mod' || name === 'PythonMod') return a % b
    return name === 'FloorDiv' ? Math.floor(a / b) : null
  }

  private take(...wanted: string[]): string | null {
    const token = this.tokens[this.at]
    if (token === undefined || !wanted.includes(token)) return null
    this.at++
    return token
  }
}
