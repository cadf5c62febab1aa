/**
 * Selects the symbolic sizes of a re-trace's inputs that become inputs themselves: each one that is provably unequal to
 * all before it. Two independent symbols are not provably unequal, so the second is omitted, as in PyTorch.
 */
import type { Dim, TensorMeta } from '../../fx'

export function symArgsOf(tensors: readonly TensorMeta[]): string[] {
  const found: string[] = []
  for (const t of tensors)
    for (const v of [...t.shape, ...(t.stride ?? [])])
      if (isSymbolic(v) && found.every((a) => provablyUnequal(v, a))) found.push(v)
  return found
}

const isSymbolic = (d: Dim): d is string => typeof d === 'string' && !/^-?\d+$/.test(d)

/** Coefficients by monomial; a monomial is its sorted symbols, `s0*s0*s1`, and '' is the constant. */
type Polynomial = Map<string, number>

/**
 * True if `a - b` is never zero. Backed symbols (`s7`) are at least 2, so `s` is written `t + 1` with t ≥ 1; a
 * difference whose coefficients all have one sign then cannot vanish. Unbacked symbols (`u0`) may be 0.
 */
export function provablyUnequal(a: string, b: string): boolean {
  if (a === b) return false
  const x = parse(a)
  const y = parse(b)
  if (!x || !y) return false
  const difference = add(x, scale(y, -1))
  const signs = new Set<number>()
  let certain = false
  for (const [monomial, c] of difference) {
    if (c === 0) continue
    signs.add(Math.sign(c))
    certain ||= !monomial.includes('u')
  }
  return signs.size === 1 && certain
}

const add = (a: Polynomial, b: Polynomial): Polynomial => {
  const sum = new Map(a)
  for (const [m, c] of b) sum.set(m, (sum.get(m) ?? 0) + c)
  return sum
}
const scale = (a: Polynomial, by: number): Polynomial => new Map([...a].map(([m, c]) => [m, c * by]))
const multiply = (a: Polynomial, b: Polynomial): Polynomial => {
  const product: Polynomial = new Map()
  for (const [m, c] of a)
    for (const [n, d] of b) {
      const key = [...m.split('*'), ...n.split('*')].filter(Boolean).sort().join('*')
      product.set(key, (product.get(key) ?? 0) + c * d)
    }
  return product
}

/** Sums, products and powers of integers and symbols; null for anything else (Max, //, Mod). */
function parse(text: string): Polynomial | null {
  const tokens = text.match(/\*\*|[a-zA-Z]\w*|\d+|[-+*()]|\S/g) ?? []
  let at = 0
  const sum = (): Polynomial | null => {
    const negative = tokens[at] === '-' && ++at > 0
    let total = product()
    if (total && negative) total = scale(total, -1)
    while (total && (tokens[at] === '+' || tokens[at] === '-')) {
      const sign = tokens[at++] === '+' ? 1 : -1
      const next = product()
      total = next && add(total, scale(next, sign))
    }
    return total
  }
  const product = (): Polynomial | null => {
    let total = power()
    while (total && tokens[at] === '*') {
      at++
      const next = power()
      total = next && multiply(total, next)
    }
    return total
  }
  const power = (): Polynomial | null => {
    const base = atom()
    if (!base || tokens[at] !== '**') return base
    const exponent = Number(tokens[at + 1])
    at += 2
    if (!Number.isInteger(exponent) || exponent < 0 || exponent > 8) return null
    let total: Polynomial = new Map([['', 1]])
    for (let i = 0; i < exponent; i++) total = multiply(total, base)
    return total
  }
  const atom = (): Polynomial | null => {
    const token = tokens[at++]
    if (token === undefined) return null
    if (token === '(') {
      const inner = sum()
      return tokens[at++] === ')' ? inner : null
    }
    if (/^\d+$/.test(token)) return new Map([['', Number(token)]])
    if (!/^[a-zA-Z]/.test(token) || tokens[at] === '(') return null
    return token.startsWith('u')
      ? new Map([[token, 1]])
      : new Map([
          [token, 1],
          ['', 1],
        ])
  }
  const result = sum()
  return at === tokens.length ? result : null
}
