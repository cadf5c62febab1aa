/** Escapes plain text for the formats that people paste it into. */

/**
 * Plain text in one line, with the characters escaped that Markdown or HTML would interpret. An address does not become a link: a
 * link would include the text after it, even the beginning of a code span.
 */
export const markdownText = (text: string): string =>
  text.replace(/[\\`*_{}[\]<>#|~&@]|:(?=\/\/)|(?<=www)\./gi, (c) => `\\${c}`).replace(/[\r\n]+/g, ' ')

/**
 * A cell of a CSV file. Spreadsheets evaluate a text that begins like a formula, so it gets an apostrophe. Some spreadsheets split
 * cells at `;`.
 */
export function csvCell(text: string): string {
  const safe = /^[=+\-@\t\r]/.test(text) && Number.isNaN(Number(text)) ? `'${text}` : text
  return /[",;\t\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&apos;' }

/** Text for XML: markup is escaped, and characters that XML forbids are replaced. */
export const xmlText = (text: string): string =>
  text
    // eslint-disable-next-line no-control-regex -- XML 1.0 has no form for these characters
    .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|\p{Cs}/gu, '\ufffd')
    .replace(/[&<>"']/g, (c) => ENTITIES[c]!)

/**
 * Control characters (newlines too), direction marks, zero-width characters, tags, private and unassigned characters, lone
 * surrogates, line separators, and the blank Braille cell.
 */
export const HIDDEN = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/gu

const SHORT: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' }
const hex = (code: number, digits: number): string => code.toString(16).padStart(digits, '0')

/** A hidden character as Python writes it: `\x1b`, `\u202e`, `\U000e0041`. */
export function hiddenEscaped(c: string): string {
  const code = c.codePointAt(0)!
  return (
    SHORT[c] ?? (code < 0x100 ? `\\x${hex(code, 2)}` : code < 0x10000 ? `\\u${hex(code, 4)}` : `\\U${hex(code, 8)}`)
  )
}

/** A sender's name in a sentence: a direction mark would reverse the text after it. The page draws line breaks. */
export const visibleText = (text: string): string => text.replace(HIDDEN, (c) => (c === '\n' ? c : hiddenEscaped(c)))
