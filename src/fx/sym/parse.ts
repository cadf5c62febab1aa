/**
 * Reads sizes as sympy prints them in the supported PyTorch versions: `2*s72 + 1`, `(s72//2)`, `s70**2`, `Max(1, u0)`, `Mod(s0,
 * 8)`.
 */
import { add, MAX_EXPONENT, mul, neg, sub } from './arithmetic'
import { floorDiv, FUNCTIONS, mod, powByNatural } from './functions'
import { call, entryOf, float, int, isCall, powerOf, symbol, type Sym } from './types'

const TOKEN = /\s*(\*\*|\/\/|[A-Za-z_]\w*|\d+(?:\.\d*)?(?:e[-+]?\d+)?|[-+*/%(),])/y
const MAX_LENGTH = 2000
const MAX_DEPTH = 50

/** Whether a name can be a symbol, or a called function. */
type Accepts = (name: string, called: boolean) => boolean

/** Null for other text, and for powers beyond MAX_EXPONENT. Functions that are not in FUNCTIONS are kept unchanged. */
export function parseSym(text: string, accepts: Accepts = () => true): Sym | null {
  const tokens = text.length <= MAX_LENGTH ? tokensOf(text) : null
  if (!tokens || tokens.length === 0) return null
  try {
    const reader = new SymReader(tokens, accepts)
    const e = reader.sum()
    return reader.atEnd ? e : null
  } catch (error) {
    // A division by zero, a wrong number of arguments, or an error of this reader.
    if (error instanceof RangeError) return null
    throw error
  }
}

function tokensOf(text: string): string[] | null {
  if (/[^\x20-\x7e]/.test(text)) return null
  const tokens: string[] = []
  const end = text.trimEnd().length
  TOKEN.lastIndex = 0
  while (TOKEN.lastIndex < end) {
    const match = TOKEN.exec(text)
    if (!match) return null
    tokens.push(match[1]!)
  }
  return tokens
}

const DIVISIONS: Readonly<Record<string, (a: Sym, b: Sym) => Sym>> = {
  '//': floorDiv,
  '%': mod,
  '/': FUNCTIONS['IntTrueDiv']!,
}

/** sympy prints these as operators: a text that calls one is not a size. */
const OPERATORS = new Set(['Add', 'Mul', 'Pow'])

/** The greatest product of nested exponents. */
const degreeOf = (e: Sym): number =>
  e.kind === 'call' ? Math.max(...e.args.map(degreeOf)) * (isCall(e, 'Pow') ? powerOf(e).exponent : 1) : 1

class SymReader {
  private at = 0
  private depth = 0

  constructor(
    private readonly tokens: readonly string[],
    private readonly accepts: Accepts,
  ) {}

  get atEnd(): boolean {
    return this.at === this.tokens.length
  }

  sum(): Sym {
    if (++this.depth > MAX_DEPTH) throw new RangeError('too deep')
    let total = this.product()
    for (let sign = this.take('+', '-'); sign; sign = this.take('+', '-'))
      total = sign === '+' ? add(total, this.product()) : sub(total, this.product())
    this.depth--
    return total
  }

  /** Factors are multiplied together, not one by one, which would distribute a number over a sum that has other factors. */
  private product(): Sym {
    const factors: Sym[] = this.take('-') ? [int(-1)] : []
    factors.push(this.power())
    for (let op = this.take('*', '//', '/', '%'); op; op = this.take('*', '//', '/', '%')) {
      const next = this.power()
      if (op === '*') factors.push(next)
      else factors.splice(0, Infinity, DIVISIONS[op]!(mul(...factors), next))
    }
    return mul(...factors)
  }

  private power(): Sym {
    if (this.take('-')) return neg(this.atom())
    const base = this.atom()
    if (!this.take('**')) return base
    const text = this.tokens[this.at++] ?? ''
    const exponent = Number(text)
    if (!/^\d{1,2}$/.test(text) || exponent * degreeOf(base) > MAX_EXPONENT) throw new RangeError('no exponent')
    return powByNatural(base, int(exponent))
  }

  private atom(): Sym {
    const token = this.tokens[this.at++] ?? ''
    if (/^\d/.test(token)) return this.number(token)
    if (token === '(') return this.closed(this.sum())
    const called = this.take('(') !== null
    if (!/^[A-Za-z_]/.test(token) || !this.accepts(token, called)) throw new RangeError('no size')
    if (!called) return symbol(token)
    if (OPERATORS.has(token)) throw new RangeError('no function')
    const args: Sym[] = []
    do args.push(this.sum())
    while (this.take(','))
    return this.closed((entryOf(FUNCTIONS, token) ?? ((...given) => call(token, ...given)))(...args))
  }

  private number(token: string): Sym {
    const value = Number(token)
    if (!/^\d+$/.test(token)) return float(value)
    if (!Number.isSafeInteger(value)) throw new RangeError('too large')
    return int(value)
  }

  private closed(e: Sym): Sym {
    if (!this.take(')')) throw new RangeError('no )')
    return e
  }

  private take(...wanted: readonly string[]): string | null {
    const token = this.tokens[this.at]
    if (token === undefined || !wanted.includes(token)) return null
    this.at++
    return token
  }
}
