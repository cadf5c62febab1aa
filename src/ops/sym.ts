/**
 * Integer arithmetic on dimensions: numbers if both are numbers, otherwise polynomials over symbols with integer
 * coefficients, printed like sympy (`4096*s72`, `s72 + 1`, `s70**2`). Anything that is not a polynomial (inexact floor
 * division, Mod, Max) becomes an opaque factor with sympy's text: `(s72//2)`, `Mod(s72, 8)`.
 */
import type { Dim } from '../fx'

/** Powers by factor, sorted by factor name, as text: `s0^1;s1^2`; '' is the constant. */
type Polynomial = Map<string, number>
type Powers = Map<string, number>

const parsed = new Map<string, Polynomial>()

const ZERO: Polynomial = new Map()
const constant = (n: number): Polynomial => (n === 0 ? ZERO : new Map([['', n]]))
const atom = (name: string): Polynomial => new Map([[`${name}^1`, 1]])

function poly(d: Dim): Polynomial {
  if (typeof d === 'number') return constant(d)
  let p = parsed.get(d)
  if (!p) parsed.set(d, (p = parse(d)))
  return p
}

function plus(a: Polynomial, b: Polynomial, sign = 1): Polynomial {
  const sum = new Map(a)
  for (const [m, c] of b) {
    const total = (sum.get(m) ?? 0) + sign * c
    if (total === 0) sum.delete(m)
    else sum.set(m, total)
  }
  return sum
}

const powers = (monomial: string): Powers =>
  new Map(
    monomial === ''
      ? []
      : monomial.split(';').map((f): [string, number] => {
          const at = f.lastIndexOf('^')
          return [f.slice(0, at), Number(f.slice(at + 1))]
        }),
  )
const monomial = (p: Powers): string =>
  [...p]
    .filter(([, n]) => n !== 0)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([f, n]) => `${f}^${n}`)
    .join(';')

function times(a: Polynomial, b: Polynomial): Polynomial {
  let product: Polynomial = new Map()
  for (const [m, c] of a)
    for (const [n, d] of b) {
      const joined = powers(m)
      for (const [f, k] of powers(n)) joined.set(f, (joined.get(f) ?? 0) + k)
      product = plus(product, new Map([[monomial(joined), c * d]]))
    }
  return product
}

function toDim(p: Polynomial): Dim {
  if (p.size === 0) return 0
  if (p.size === 1 && p.has('')) return p.get('')!
  return print(p)
}

const opaque = (factor: string): boolean => !/^\w+$/.test(factor)

function print(p: Polynomial): string {
  // Symbols come before opaque factors, as in sympy.
  const factors = [...new Set([...p.keys()].flatMap((m) => [...powers(m).keys()]))].sort((a, b) =>
    opaque(a) === opaque(b) ? (a < b ? -1 : 1) : opaque(a) ? 1 : -1,
  )
  const degrees = (m: string): number[] => factors.map((f) => powers(m).get(f) ?? 0)
  const terms = [...p].sort(([a], [b]) => {
    const x = degrees(a)
    const y = degrees(b)
    for (let i = 0; i < x.length; i++) if (x[i] !== y[i]) return y[i]! - x[i]!
    return 0
  })
  // A floor division inside a sum or a product has its own parentheses: ((s72//2)) + 1.
  const alone =
    terms.length === 1 && terms[0]![1] === 1 && powers(terms[0]![0]).size === 1 && !/\^[^1]/.test(terms[0]![0])
  return terms
    .map(([m, c], i) => {
      const shown = (f: string): string => (f.startsWith('(') && !alone ? `(${f})` : f)
      const body = [...powers(m)].map(([f, n]) => (n === 1 ? shown(f) : `${shown(f)}**${n}`))
      const size = Math.abs(c)
      const text = (size !== 1 || body.length === 0 ? [String(size), ...body] : body).join('*')
      return i === 0 ? (c < 0 ? `-${text}` : text) : `${c < 0 ? ' - ' : ' + '}${text}`
    })
    .join('')
}

/** Index after the parenthesis that closes the one at `at`, or the text's length. */
function callEnd(text: string, at: number): number {
  let depth = 0
  do {
    if (text[at] === '(') depth++
    else if (text[at] === ')') depth--
    at++
  } while (depth > 0 && at < text.length)
  return at
}

/** Parses the output of print, and sympy's other forms as opaque factors. */
function parse(text: string): Polynomial {
  let at = 0
  const skip = (): void => {
    while (text[at] === ' ') at++
  }
  const eat = (token: string): boolean => {
    skip()
    if (!text.startsWith(token, at)) return false
    at += token.length
    return true
  }
  const sum = (): Polynomial => {
    let total = eat('-') ? times(constant(-1), product()) : product()
    for (;;) {
      if (eat('+')) total = plus(total, product())
      else if (eat('-')) total = plus(total, product(), -1)
      else return total
    }
  }
  const product = (): Polynomial => {
    let total = power()
    for (;;) {
      skip()
      if (text[at] === '*' && text[at + 1] !== '*') {
        at++
        total = times(total, power())
      } else if (eat('//')) total = poly(floorDiv(toDim(total), toDim(power())))
      else return total
    }
  }
  const power = (): Polynomial => {
    const base = primary()
    if (!eat('**')) return base
    const n = toDim(primary())
    let total = constant(1)
    for (let i = 0; i < Number(n); i++) total = times(total, base)
    return total
  }
  const primary = (): Polynomial => {
    skip()
    const start = at
    if (eat('(')) {
      const inner = sum()
      eat(')')
      return inner
    }
    const word = /^[A-Za-z_]\w*|^\d+/.exec(text.slice(at))?.[0]
    if (!word) return atom(text.slice(start, (at = text.length)))
    at += word.length
    if (/^\d/.test(word)) return constant(Number(word))
    if (text[at] !== '(') return atom(word)
    at = callEnd(text, at)
    return atom(text.slice(start, at))
  }
  return sum()
}

export const addDims = (a: Dim, b: Dim): Dim =>
  typeof a === 'number' && typeof b === 'number' ? a + b : toDim(plus(poly(a), poly(b)))
export const subDims = (a: Dim, b: Dim): Dim =>
  typeof a === 'number' && typeof b === 'number' ? a - b : toDim(plus(poly(a), poly(b), -1))
export const mulDims = (a: Dim, b: Dim): Dim =>
  typeof a === 'number' && typeof b === 'number' ? a * b : toDim(times(poly(a), poly(b)))

/** Python's `//`. */
export function floorDiv(a: Dim, b: Dim): Dim {
  if (typeof a === 'number' && typeof b === 'number') return Math.floor(a / b)
  if (b === 1) return a
  const x = poly(a)
  if (typeof b === 'number' && [...x.values()].every((c) => c % b === 0))
    return toDim(new Map([...x].map(([m, c]) => [m, c / b])))
  const quotient = exactQuotient(x, poly(b))
  if (quotient) return toDim(quotient)
  if (typeof b === 'number') {
    // Exactly divisible terms move out of the division: (2*s72 + 1)//2 is s72.
    const even = new Map([...x].filter(([, c]) => c % b === 0))
    if (even.size > 0 && even.size < x.size) {
      const whole = toDim(new Map([...even].map(([m, c]) => [m, c / b])))
      return addDims(whole, floorDiv(toDim(new Map([...x].filter(([, c]) => c % b !== 0))), b))
    }
  }
  const text = `(${wrap(a)}//${wrap(b)})`
  // Registered as one factor, so that parsing the text does not divide again.
  parsed.set(text, atom(text))
  return text
}

/** `a / b` if `b` is a single term that divides each term of `a`. */
function exactQuotient(a: Polynomial, b: Polynomial): Polynomial | null {
  if (b.size !== 1) return toDim(plus(a, b, -1)) === 0 ? constant(1) : null
  const [[m, c]] = [...b] as [[string, number]]
  const out: Polynomial = new Map()
  for (const [n, d] of a) {
    const left = powers(n)
    for (const [f, k] of powers(m)) {
      if ((left.get(f) ?? 0) < k) return null
      left.set(f, left.get(f)! - k)
    }
    if (d % c !== 0) return null
    out.set(monomial(left), d / c)
  }
  return out
}

/** Python's `%`. */
export function modDims(a: Dim, b: Dim): Dim {
  if (typeof a === 'number' && typeof b === 'number') return ((a % b) + b) % b
  const q = floorDiv(a, b)
  const rest = subDims(a, mulDims(q, b))
  if (typeof rest === 'number') return rest
  return `Mod(${a}, ${b})`
}

export function maxDims(a: Dim, b: Dim): Dim {
  if (typeof a === 'number' && typeof b === 'number') return Math.max(a, b)
  if (a === b) return a
  return typeof a === 'number' ? `Max(${a}, ${b})` : `Max(${b}, ${a})`
}

const wrap = (d: Dim): string => (/^[\w()]+$/.test(String(d)) ? String(d) : `(${d})`)

export const productOf = (dims: readonly Dim[]): Dim => dims.reduce<Dim>((p, d) => mulDims(p, d), 1)

/** True if both are the same number for all values of the symbols. */
export const sameDim = (a: Dim, b: Dim): boolean => a === b || subDims(a, b) === 0
export const sameDims = (a: readonly Dim[], b: readonly Dim[]): boolean =>
  a.length === b.length && a.every((d, i) => sameDim(d, b[i]!))

/** Backed symbols (`s72`) are sizes of at least 2; unbacked ones (`u0`) may have any value. */
export const isOne = (d: Dim): boolean => d === 1
export const isZero = (d: Dim): boolean => d === 0
