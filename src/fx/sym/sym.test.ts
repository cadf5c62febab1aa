/** Sizes against sympy's: each one of the recordings reads and prints as it is there, and folding keeps values. */
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import {
  add,
  evaluate,
  floorDiv,
  int,
  isPositive,
  max,
  min,
  mod,
  mul,
  parseSym,
  powByNatural,
  provablyEqual,
  sub,
  symbol,
  textOf,
  type Sym,
} from '.'

const recorded = new Set<string>()
for (const name of ['size_calls', 'python_calls'])
  for (const line of readFileSync(new URL(`../../../conformance/${name}.jsonl`, import.meta.url), 'utf8').split('\n'))
    for (const [, text] of line.matchAll(/"\w+": "([^"]*)"/g))
      if (/^[^[\]]*\bs\d+[^[\]]*$/.test(text!) && !/[:%<>]|Eq|Ne/.test(text!)) recorded.add(text!)

test('PyTorch’s sizes read and print as they are', () => {
  expect(recorded.size).toBeGreaterThan(300)
  for (const text of recorded) {
    const read = parseSym(text)
    expect(read && textOf(read).replaceAll(' ', '')).toBe(text)
  }
})

const OPERATIONS: readonly [(a: Sym, b: Sym) => Sym, (a: number, b: number) => number][] = [
  [add, (a, b) => a + b],
  [sub, (a, b) => a - b],
  [mul, (a, b) => a * b],
  [floorDiv, (a, b) => Math.floor(a / b)],
  [mod, (a, b) => a - b * Math.floor(a / b)],
  [max, Math.max],
  [min, Math.min],
]
const VALUES = { s0: 7, s1: 12, s2: 30 } as const

/** A random expression and its value, from a linear congruential generator. */
function random(next: () => number, depth: number): { sym: Sym; value: number } {
  if (depth === 0 || next() % 5 === 0) {
    const n = (next() % 9) + 1
    const names = ['s0', 's1', 's2'] as const
    const name = names[n % 3]!
    return n > 6 ? { sym: int(n), value: n } : { sym: symbol(name), value: VALUES[name] }
  }
  const [a, b] = [random(next, depth - 1), random(next, depth - 1)]
  const [make, of] = OPERATIONS[next() % OPERATIONS.length]!
  // PyTorch's own rules hold for positive divisors: (a//b)//c is a//(b*c).
  if ([floorDiv, mod].includes(make as never) && b.value <= 0) return a
  return { sym: make(a.sym, b.sym), value: of(a.value, b.value) }
}

test('folding keeps the value, and the text reads as the same expression', () => {
  let seed = 1
  const next = (): number => (seed = (seed * 1103515245 + 12345) % 2147483648) >> 8
  for (let i = 0; i < 1000; i++) {
    const { sym, value } = random(next, 4)
    const text = textOf(sym)
    expect([text, evaluate(sym, (name) => VALUES[name as keyof typeof VALUES])]).toEqual([text, value])
    expect(textOf(parseSym(text)!)).toBe(text)
  }
})

test('compares products that are not multiplied out', () => {
  const equal = (a: string, b: string): boolean => provablyEqual(parseSym(a)!, parseSym(b)!)
  expect(equal('s0*(s1 + 1)', 's0*s1 + s0')).toBe(true)
  expect(equal('(s0 + 1)**2', 's0**2 + 2*s0')).toBe(false)
})

test.each(['', 's0 s1', 's0\n', '(s0', '9**999', 's0 // 0', '('.repeat(60) + 's0' + ')'.repeat(60), 's0.x'])(
  '%j is none',
  (text) => expect(parseSym(text)).toBeNull(),
)

test.each(['(s0**8)**9', '(((((s0+0*u1)**64)**64)**64)**64)**64', 'Max(0, (((((u0)**64)**64)**64)**64)**64)'])(
  '%s is none, because its exponents multiply beyond the limit',
  (text) => expect(parseSym(text)).toBeNull(),
)

test('a power of a power beyond the limit stays a function', () => {
  const power = (e: Sym, n: number): Sym => powByNatural(e, int(n))
  expect(textOf(power(power(symbol('s0'), 8), 8))).toBe('s0**64')
  expect(textOf(power(power(symbol('s0'), 8), 9))).toBe('PowByNatural(s0**8, 9)')
})

test('a polynomial with too many products is not multiplied out', () => {
  let [a, b]: Sym[] = [add(symbol('u0'), symbol('u1')), symbol('u2')]
  for (let i = 0; i < 40; i++) [a, b] = [mul(a!, a!), mul(b!, b!)]
  expect(provablyEqual(a!, b!)).toBe(false)
  expect(isPositive(add(a!, b!))).toBe(false)
  const sums = [...'abcdefgh'].map((c) => `(s1 + ${c}0 + ${c}1)**40`).join('*')
  expect(provablyEqual(parseSym(sums)!, int(1))).toBe(false)
})

test.each([
  ...['FloorDiv(s0)', 'Mod(s0)', 'CleanDiv(s0)', 'PowByNatural(s0)', 'BitwiseFn_bitwise_and(3)', 'FloatPow(2)'],
  ...['Abs(s0, s1)', 'Mod(s0, 2, 3)', 'Add(s0, s1)', 'Pow(s0, s1)', 'Pow(s0)', 'BitwiseFn_bitwise_or(3.5, 1)'],
])('%s is none', (text) => expect(parseSym(text)).toBeNull())

test.each(Object.getOwnPropertyNames(Object.prototype))('a function named %s is one without a rule', (name) => {
  const e = parseSym(`${name}(s0, 2)`)!
  expect(textOf(e)).toBe(`${name}(s0, 2)`)
  expect(evaluate(e, () => 1)).toBeNull()
  expect(isPositive(max(e, int(1)))).toBe(true)
})
