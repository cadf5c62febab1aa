/** Escapes plain text for the formats that people copy it into. */

/**
 * Plain text with the characters escaped that Markdown or HTML would read, in one line. An address does not become a link: a link
 * would take what follows it along, even the beginning of a code span.
 */
export const markdownText = (text: string): string =>
  text.replace(/[\\`*_{}[\]<>#|~&@]|:(?=\/\/)|(?<=www)\./gi, (c) => `\\${c}`).replace(/[\r\n]+/g, ' ')

/** A cell of a CSV file. Spreadsheets compute a text that begins like a formula: it gets an apostrophe. */
export function csvCell(text: string): string {
  const safe = /^[=+\-@\t\r]/.test(text) && Number.isNaN(Number(text)) ? `'${text}` : text
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
