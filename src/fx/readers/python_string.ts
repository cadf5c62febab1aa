/** Reads Python string literals. */
import { ScanError } from './scan'

/**
 * Reads the literal that begins with the quote at `start`.
 * @returns its value and the offset after its closing quote
 * @throws ScanError if it is not closed on its line
 */
export function readPythonString(text: string, start: number, end: number): { value: string; end: number } {
  const quote = text.charCodeAt(start)
  let out = ''
  let from = start + 1
  for (let i = from; i < end; i++) {
    const c = text.charCodeAt(i)
    if (c === quote) return { value: out + text.slice(from, i), end: i + 1 }
    if (c === 10) break
    if (c !== 92) continue
    out += text.slice(from, i)
    const [char, size] = unescape(text, i + 1)
    out += char
    i += size
    from = i + 1
  }
  throw new ScanError(start, 'a string closed on its line', 'an unclosed string')
}

const ESCAPES: Readonly<Record<string, string>> = {
  n: '\n',
  t: '\t',
  r: '\r',
  '0': '\0',
  a: '\x07',
  b: '\b',
  f: '\f',
  v: '\v',
}

/** The character of an escape, and its length in source characters after the backslash. */
function unescape(text: string, at: number): [string, number] {
  const c = text[at] ?? ''
  const digits = c === 'x' ? 2 : c === 'u' ? 4 : c === 'U' ? 8 : 0
  if (digits > 0) {
    const code = Number.parseInt(text.slice(at + 1, at + 1 + digits), 16)
    return code >= 0 && code <= 0x10ffff ? [String.fromCodePoint(code), digits + 1] : [c, 1]
  }
  return [ESCAPES[c] ?? c, 1]
}
