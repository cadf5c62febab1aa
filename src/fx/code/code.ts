/**
 * Python source that Fusescope wrote: fixed text, literals and checked names. A plain string is not Code, so the compiler asks for
 * `literal` or a check wherever foreign text enters a template.
 */
import { hiddenEscaped } from '../../base/escapes'
import { commandsEscaped } from '../../base/runner_commands'
import { pyFloatRepr, pyStringRepr } from '../printers/format'

declare const written: unique symbol
export type Code = string & { readonly [written]: true }

/** A template of fixed text; each value in it is Code. */
export function code(parts: TemplateStringsArray, ...values: readonly Code[]): Code {
  return String.raw({ raw: parts }, ...values) as Code
}

/** Code between fixed separators. */
export const joined = (items: readonly Code[], separator: ', ' | '' | '\n' | '\n\n' = ', '): Code =>
  items.join(separator) as Code

/** Ints with more digits are written in hexadecimal: Python refuses to read them as decimals. */
const MAX_DECIMAL = 4000
/** Maximum nesting of brackets; Python's parser allows 200. */
export const MAX_NESTED = 64

/** Plain data as a Python literal. Data nested deeper than MAX_NESTED is None. */
export function literal(value: unknown, depth = 0): Code {
  if (value === null || value === undefined || depth > MAX_NESTED) return code`None`
  if (typeof value === 'string') return stringLiteral(value)
  if (typeof value === 'boolean') return value ? code`True` : code`False`
  if (typeof value === 'bigint') return intLiteral(value)
  if (typeof value === 'number') return Number.isSafeInteger(value) ? intLiteral(BigInt(value)) : floatLiteral(value)
  if (typeof value !== 'object') return stringLiteral(String(value))
  if (Array.isArray(value)) return code`[${joined(value.map((v) => literal(v, depth + 1)))}]`
  return code`{${joined(Object.entries(value).map(([k, v]) => code`${literal(k)}: ${literal(v, depth + 1)}`))}}`
}

/**
 * repr() of a str. Every character that is not printable is escaped, so the text cannot end the literal or hide. Commands to a
 * workflow runner (`##vso[…]`) are escaped too, because a traceback prints lines of the file.
 */
export const stringLiteral = (text: string): Code => commandsEscaped(pyStringRepr(text), hiddenEscaped) as Code

export function intLiteral(value: bigint): Code {
  const text = value.toString()
  if (text.length <= MAX_DECIMAL) return text as Code
  return `${value < 0n ? '-' : ''}0x${(value < 0n ? -value : value).toString(16)}` as Code
}

/** `0.5`; `inf` and `nan` are names that a file must import from math. */
export const floatLiteral = (value: number): Code => pyFloatRepr(value) as Code

/** Words that cannot be Python names. */
export const KEYWORDS: ReadonlySet<string> = new Set(
  (
    'False None True and as assert async await break class continue def del elif else except finally for from global if ' +
    'import in is lambda nonlocal not or pass raise return try while with yield'
  ).split(' '),
)

/** The text as a Python identifier: ASCII, not a keyword or a dunder name; null for any other text. */
export const identifier = (text: string): Code | null =>
  /^[A-Za-z_][A-Za-z0-9_]*$/.test(text) && !text.startsWith('__') && !KEYWORDS.has(text) ? (text as Code) : null

/** Turns texts into identifiers that are unique and not reserved. */
export class LocalNames {
  private readonly taken: Set<string>

  constructor(reserved: Iterable<string> = []) {
    this.taken = new Set(reserved)
  }

  take(text: string): Code {
    const word = text.replace(/[^A-Za-z0-9_]/g, '_').replace(/^(?=\d|__|$)/, 'n')
    const base = identifier(word) ?? (`${word}_` as Code)
    let name = base
    for (let n = 1; this.taken.has(name); n++) name = `${base}${n === 1 ? '' : n}_` as Code
    this.taken.add(name)
    return name
  }
}

/**
 * Foreign text for a comment or a docstring: one line of letters, digits and plain punctuation. Every character that could end the
 * line or the string, hide text, or command a runner becomes `?`.
 */
export const proseText = (text: string, limit = 300): Code => {
  const plain = text.slice(0, limit).replace(/[^\p{L}\p{M}\p{N} !#$%&()*+,\-./:;<=>?@[\]^_{|}~’–…×→]/gu, '?')
  const shown = commandsEscaped(plain, () => '?')
  return (plain.length < text.length ? `${shown}…` : shown) as Code
}
