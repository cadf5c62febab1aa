/** Reads values written as bare words: constants, `torch.float32`, devices, symbols. Shared by both readers. */
import { DEVICE_TYPES, DTYPES, LAYOUTS, MEMORY_FORMATS } from '../dtypes'
import type { Complex, Device } from '../value'
import type { Arg } from '../graph/node'
import { device, dtype, ELLIPSIS, layout, memoryFormat, opRef, sym } from '../value'
import { isWordStart, wordEnd } from './scan'

const WORDS = new Map<string, Exclude<Arg, string>>([
  ['None', null],
  ['True', true],
  ['False', false],
  ['inf', Infinity],
  ['-inf', -Infinity],
  ['nan', NaN],
  ['Ellipsis', ELLIPSIS],
  ...[...DTYPES].map((n) => [`torch.${n}`, dtype(n)] as const),
  ...[...LAYOUTS].map((n) => [`torch.${n}`, layout(n)] as const),
  ...[...MEMORY_FORMATS].map((n) => [`torch.${n}`, memoryFormat(n)] as const),
])

/** The value of a word in either form, or undefined. */
export const wordValue = (word: string): Exclude<Arg, string> | undefined => WORDS.get(word)

/** `cpu`, `cuda:0` as print(graph) shows a torch.device; null for other text. */
export function deviceFromText(text: string): Arg {
  const colon = text.indexOf(':')
  const type = colon < 0 ? text : text.slice(0, colon)
  if (!DEVICE_TYPES.has(type)) return null
  if (colon < 0) return device(type)
  const index = text.slice(colon + 1)
  return /^\d{1,4}$/.test(index) ? device(type, Number(index)) : null
}

const DEVICE_CALL = /^(?:torch\.)?device\((?:type=)?["']([a-z_]+)(?::(\d+))?["'](?:, *(?:index=)?(\d+))?\)$/

/** `device(type='cuda', index=0)` and `torch.device("cuda:0")`; null for other text. */
export function deviceFromCall(text: string): Device | null {
  const match = DEVICE_CALL.exec(text)
  if (!match) return null
  const index = match[2] ?? match[3]
  return device(match[1]!, index === undefined ? null : Number(index))
}

const SMALL: readonly bigint[] = Array.from({ length: 4097 }, (_, i) => BigInt(i))

/** CPython does not print longer ints either, and reading one takes quadratic time. */
export const MAX_DIGITS = 4300

/** The int of text with an optional sign and only digits, at most MAX_DIGITS. */
export function intFromText(text: string): bigint {
  if (text.length > 8) return BigInt(text)
  const n = Number(text)
  return n >= 0 && n < SMALL.length ? SMALL[n]! : BigInt(n)
}

/** `s72`, `u0`: a symbol of a ShapeEnv. */
const SYMBOL = /^(?:s|u|zuf|zf|f)\d+$/
/** Words that sympy prints in expressions of symbols. */
const SYM_WORDS =
  /\b(?:(?:s|u|zuf|zf)\d+|Max|Min|Mod|PythonMod|FloorDiv|CeilToInt|TruncToInt|ToFloat|IntTrueDiv|floor|ceiling)\b/g

/** A symbolic expression, or undefined if the text is not one. */
export function symFromText(text: string): Arg | undefined {
  if (SYMBOL.test(text)) return sym(text)
  if (text.length > 2000 || !/\b(?:s|u|zuf)\d/.test(text)) return undefined
  return /^[-+*/(),%<>=.\d ]*$/.test(text.replace(SYM_WORDS, '')) ? sym(text) : undefined
}

const COMPLEX = /^\(?(?:([-+]?(?:\d[\d.]*(?:e[-+]?\d+)?|inf|nan)))?(?:([-+]?(?:\d[\d.]*(?:e[-+]?\d+)?|inf|nan))j)\)?$/

/** str() of a Python complex: `2j`, `(1+2j)`, `(-0-infj)`; undefined for other text. */
export function complexFromText(text: string): Complex | undefined {
  if (!text.endsWith('j') && !text.endsWith('j)')) return undefined
  if (text.length > 80) return undefined
  const match = COMPLEX.exec(text)
  if (!match) return undefined
  return { kind: 'complex', re: match[1] === undefined ? 0 : pyFloat(match[1]), im: pyFloat(match[2]!) }
}

/** float() of Python text. */
export function pyFloat(text: string): number {
  if (text.endsWith('inf')) return text.startsWith('-') ? -Infinity : Infinity
  return Number(text)
}

/** The value of unquoted text in print(graph): a constant, a device, an operator, a complex, a symbol, or a string. */
export function bareValue(text: string): Arg {
  const word = wordValue(text)
  if (word !== undefined) return word
  if (text.length > 200) return text
  return deviceFromText(text) ?? operator(text) ?? complexFromText(text) ?? symFromText(text) ?? text
}

/** `_C.rms_norm.default`: three names, as str() shows an OpOverload. */
function operator(text: string): Arg | undefined {
  const parts = text.split('.')
  if (parts.length !== 3 || parts[0] === 'torch') return undefined
  const isName = (p: string): boolean =>
    isWordStart(p.charCodeAt(0)) && wordEnd(p, 0, p.length) === p.length && p.length > 0
  return parts.every(isName) ? opRef(text) : undefined
}
