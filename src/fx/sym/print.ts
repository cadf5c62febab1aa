/** Prints as sympy's StrPrinter: `2*s72 + 1`, `((s72//2)) + 1`, `s70**2`, `Max(1, u0)`. */
import { compareSyms, orderedFactors, orderedTerms } from './order'
import { coefficientOf, entryOf, type Sym, type SymCall, type SymNumber } from './types'

const ATOM = 1000
const PRECEDENCE: Readonly<Record<string, number>> = {
  Add: 40,
  Pow: 60,
  Max: ATOM,
  Min: ATOM,
  FloorDiv: 35,
  Mod: 35,
  PythonMod: 35,
  IntTrueDiv: 35,
  FloatTrueDiv: 35,
  PowByNatural: 50,
  FloatPow: 60,
  BitwiseFn_bitwise_and: 38,
  BitwiseFn_bitwise_xor: 37,
  BitwiseFn_bitwise_or: 36,
}
const [ADD, MUL, POW, FUNCTION] = [40, 50, 60, 70]

const texts = new WeakMap<Sym, string>()

/** str() of the expression; equal for equal expressions. */
export function textOf(e: Sym): string {
  let text = texts.get(e)
  if (text === undefined) texts.set(e, (text = print(e)))
  return text
}

function print(e: Sym): string {
  if (e.kind === 'symbol') return e.name
  if (e.kind === 'number') return number(e)
  const [a, b] = e.args as [Sym, Sym]
  switch (e.fn) {
    case 'Add':
      return sum(e)
    case 'Mul':
      return product(e)
    case 'Pow':
      return `${within(a, POW)}**${within(b, POW)}`
    case 'FloorDiv':
      return `(${within(a, ATOM - 0.5)}//${within(b, ATOM - 0.5)})`
    case 'Max':
    case 'Min':
      return `${e.fn}(${e.args.toSorted(compareSyms).map(textOf).join(', ')})`
    default:
      return `${e.fn}(${e.args.map(textOf).join(', ')})`
  }
}

const RELATION = 35
const INFIX: Readonly<Record<string, string>> = { lt: '<', le: '<=', gt: '>', ge: '>=' }

/** str() of a relation: `s72 > 4`, `Eq(s72, 4)`. */
export function textOfRelation(name: string, a: Sym, b: Sym): string {
  const sign = INFIX[name]
  if (!sign) return `${name === 'eq' ? 'Eq' : 'Ne'}(${textOf(a)}, ${textOf(b)})`
  return `${within(a, RELATION)} ${sign} ${within(b, RELATION)}`
}

/** A Float is printed to 15 digits. */
function number({ value, float }: SymNumber): string {
  if (!float) return String(value)
  const text = String(Number(value.toPrecision(15)))
  const [digits, exponent] = text.split('e') as [string, string?]
  return `${digits.includes('.') || !Number.isFinite(value) ? digits : `${digits}.0`}${exponent ? `e${exponent}` : ''}`
}

function sum({ args }: SymCall): string {
  return orderedTerms(args)
    .map((term, i) => {
      const text = textOf(term)
      const negative = text.startsWith('-')
      const rest = negative ? text.slice(1) : text
      const sign = i === 0 ? (negative ? '-' : '') : negative ? ' - ' : ' + '
      return sign + (precedence(term) < ADD ? `(${rest})` : rest)
    })
    .join('')
}

function product(e: SymCall): string {
  const { coefficient, factors } = coefficientOf(e)
  const size: Sym = { ...coefficient, value: Math.abs(coefficient.value) }
  const shown = size.value === 1 && !size.float ? factors : [size, ...factors]
  const text = orderedFactors(shown).map((factor) => within(factor, MUL))
  return (coefficient.value < 0 ? '-' : '') + text.join('*')
}

const within = (e: Sym, level: number): string => (precedence(e) <= level ? `(${textOf(e)})` : textOf(e))

function precedence(e: Sym): number {
  if (e.kind === 'number') return e.value < 0 ? ADD : ATOM
  if (e.kind === 'symbol') return ATOM
  if (e.fn !== 'Mul') return entryOf(PRECEDENCE, e.fn) ?? FUNCTION
  const low = e.args.some((a) => a.kind === 'call' && !['Add', 'Pow'].includes(a.fn) && precedence(a) < MUL)
  return !low && coefficientOf(e).coefficient.value < 0 ? ADD : MUL
}
