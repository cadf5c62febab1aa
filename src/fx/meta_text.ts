/**
 * Metadata in print_readable's comments: keys of node.meta that `print_readable(additional_meta=[…])` prints before a node's
 * comment, as in `# stream_label: side, seq_nr: 3 # File: …`. The printer writes str(value), so text that parses as a Python value
 * is read as that value, and any other text is a string.
 */
import { orElse } from '../base/or_else'
import { pyStringRepr } from './printers/format'
import { PythonValues } from './readers/python_value'
import { ScanError } from './readers/scan'
import type { Arg } from './graph/node'

/** @param head a comment's text up to `File:` or `No stacktrace` */
export function parseAdditional(head: string): Readonly<Record<string, unknown>> | undefined {
  const found = /^#\s*(?!Annotation: )(\w+: .*?) #[^#]*$/s.exec(head)
  if (!found) return undefined
  const parts = found[1]!.split(/, (?=\w+: )/)
  const joined: string[] = []
  // `a: {'b': 1, c: 2}` was split inside its brackets.
  for (const part of parts) {
    const last = joined.at(-1)
    if (last !== undefined && depthOf(last) > 0) joined[joined.length - 1] = `${last}, ${part}`
    else joined.push(part)
  }
  return Object.fromEntries(
    joined.map((part) => {
      const colon = part.indexOf(': ')
      return [part.slice(0, colon), valueOf(part.slice(colon + 2))]
    }),
  )
}

/** Prints the entries like print_readable: a string has no quotes. */
export const additionalText = (additional: Readonly<Record<string, unknown>>): string =>
  Object.entries(additional)
    .map(([k, v]) => `${k}: ${typeof v === 'string' ? v : plainRepr(v)}`)
    .join(', ')

/** A Python value as plain data: tuples are lists, integers numbers. */
export function plainValue(value: Arg): unknown {
  if (typeof value === 'bigint') return Number(value)
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(plainValue)
  if (!('kind' in value)) return String(value)
  if (value.kind === 'tuple') return value.items.map(plainValue)
  if (value.kind === 'dict') return Object.fromEntries([...value.entries].map(([k, v]) => [k, plainValue(v)]))
  return value.kind === 'opaque' ? value.text : value
}

/** Prints plain data in Python's notation. */
export function plainRepr(value: unknown): string {
  if (value === null || value === undefined) return 'None'
  if (typeof value === 'boolean') return value ? 'True' : 'False'
  if (typeof value === 'number' || typeof value === 'bigint') return String(value)
  if (typeof value === 'string') return pyStringRepr(value)
  if (Array.isArray(value)) return `[${value.map(plainRepr).join(', ')}]`
  return typeof value === 'object' ? dictRepr(value as Record<string, unknown>) : pyStringRepr(String(value))
}

/** Prints a dict. */
export const dictRepr = (value: Readonly<Record<string, unknown>>): string =>
  `{${Object.entries(value)
    .map(([k, v]) => `${pyStringRepr(k)}: ${plainRepr(v)}`)
    .join(', ')}}`

const depthOf = (text: string): number => (text.match(/[([{]/g)?.length ?? 0) - (text.match(/[)\]}]/g)?.length ?? 0)

function valueOf(text: string): unknown {
  const values = new PythonValues(text, 0, text.length, () => undefined)
  const value = orElse(() => values.primary(), undefined, ScanError)
  return value !== undefined && values.pos === text.length ? plainValue(value) : text
}
