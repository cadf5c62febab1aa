/** Python source text of values. */
import { pyStringRepr } from '../../fx'

/** A raw triple-quoted literal that stays readable; repr() for a text that such a literal cannot hold. */
export function textLiteral(text: string): string {
  const raw = !text.includes("'''") && !text.endsWith("'") && !text.endsWith('\\') && !text.includes('\r')
  return raw ? `r'''${text}'''` : lines(text)
}

/** One quoted literal per line, in parentheses. */
const lines = (text: string): string =>
  `(\n${text
    .split(/(?<=\n)/)
    .map((line) => `    ${pyStringRepr(line)}`)
    .join('\n')}\n)`

/** Plain data as a Python literal. */
export function literal(value: unknown): string {
  if (value === null || value === undefined) return 'None'
  if (typeof value === 'boolean') return value ? 'True' : 'False'
  if (typeof value === 'string') return pyStringRepr(value)
  if (Array.isArray(value)) return `[${value.map(literal).join(', ')}]`
  if (typeof value === 'object')
    return `{${Object.entries(value)
      .map(([k, v]) => `${pyStringRepr(k)}: ${literal(v)}`)
      .join(', ')}}`
  return String(value)
}

/** A dict of texts, one entry per line or block. */
export const textDict = (entries: Readonly<Record<string, string>>): string =>
  `{\n${Object.entries(entries)
    .map(([name, text]) => `    ${pyStringRepr(name)}: ${textLiteral(text)},\n`)
    .join('')}}`

/** A dict of plain data, one entry per line. */
export const dictLines = (entries: Readonly<Record<string, unknown>>): string =>
  `{\n${Object.entries(entries)
    .map(([name, value]) => `    ${pyStringRepr(name)}: ${literal(value)},\n`)
    .join('')}}`
