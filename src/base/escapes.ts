/** Escapes plain text for the formats that people copy it into. */

/**
 * Plain text with the characters escaped that Markdown or HTML would read, in one line. An address does not become a link: a link
 * would take what follows it along, even the beginning of a code span.
 */
export const markdownText = (text: string): string =>
  text.replace(/[\\`*_{}[\]<>#|~&@]|:(?=\/\/)|(?<=www)\./gi, (c) => `\\${c}`).replace(/[\r\n]+/g, ' ')

/** A cell of a CSV file. Spreadsheets compute a text that begins like a formula: it gets an apostrophe. Some split cells at `;`. */
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
