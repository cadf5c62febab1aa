/** Shared parts of the readers: character classes, scanning, ScanError, and Problems. */
import type { Problem } from '../../base/result'

/** Maximum nesting of brackets; the readers are recursive, and hostile text must not overflow the stack. */
export const MAX_DEPTH = 200

/**
 * Thrown inside a reader only; every reader catches it and continues with the next line. Not an Error: a file may have
 * a million bad lines, and each Error takes microseconds to record its stack.
 */
export class ScanError {
  constructor(
    /** Offset in the text the reader scans. */
    readonly at: number,
    readonly expected: string,
    /** Set if the found text differs from the text at `at`. */
    readonly foundText?: string,
  ) {}
}

export const isDigit = (c: number): boolean => c >= 48 && c <= 57
/** Letters, digits, underscore, and anything beyond ASCII (Python allows most of it, and nothing else uses it). */
export const isWord = (c: number): boolean =>
  (c >= 97 && c <= 122) || (c >= 48 && c <= 57) || c === 95 || (c >= 65 && c <= 90) || c > 127
export const isWordStart = (c: number): boolean => isWord(c) && !isDigit(c)
export const isSpace = (c: number): boolean => c === 32 || c === 9 || c === 13

/** The offset after the run of word characters at `pos`. */
export function wordEnd(text: string, pos: number, end: number): number {
  while (pos < end && isWord(text.charCodeAt(pos))) pos++
  return pos
}

/** The offset of the newline at or after `pos`, at most `end`. */
export function lineEnd(text: string, pos: number, end: number): number {
  const newline = text.indexOf('\n', pos)
  return newline < 0 || newline > end ? end : newline
}

export function skipSpaces(text: string, pos: number, end: number): number {
  while (pos < end && isSpace(text.charCodeAt(pos))) pos++
  return pos
}

/** The offset after the Python number at `pos`, which may have a sign; `whole`: true if it has only digits. */
export function numberEnd(text: string, pos: number, end: number): { end: number; whole: boolean } {
  if (!isDigit(text.charCodeAt(pos)) && text.charCodeAt(pos) !== 46) pos++
  let whole = true
  for (; pos < end; pos++) {
    const c = text.charCodeAt(pos)
    if (isDigit(c)) continue
    if (c === 46 || isWord(c)) whole = false
    else if ((c !== 45 && c !== 43) || (text.charCodeAt(pos - 1) | 32) !== 101) break
  }
  return { end: pos, whole }
}

/** The line and column, from 1, of an offset in a statement that begins on `line`. */
export function placeOf(
  text: string,
  { line, lineStart }: { line: number; lineStart: number },
  at: number,
): { line: number; column: number } {
  for (let i = text.indexOf('\n', lineStart); i >= 0 && i < at; i = text.indexOf('\n', i + 1)) {
    line++
    lineStart = i + 1
  }
  return { line, column: Math.max(1, at - lineStart + 1) }
}

/** The offset, at a line end, of the quotes that close a multi-line string; the end of the line if none do. */
export function closingQuotes(text: string, pos: number, end: number): number {
  const at = text.slice(pos, end).search(/(?:"""|''')[,)\s]*$/)
  return at < 0 ? end : pos + at
}

/** Maps each opening bracket's offset to its closing one's; unmatched brackets are omitted. */
export function pairBrackets(text: string, pos: number, end: number): Map<number, number> {
  const pairs = new Map<number, number>()
  const open: number[] = []
  for (let i = pos; i < end; i++) {
    const c = text.charCodeAt(i)
    if (c === 40 || c === 91 || c === 123) open.push(i)
    else if (c === 41 || c === 93 || c === 125) {
      const from = open.at(-1)
      if (from === undefined) continue
      const expected = text.charCodeAt(from)
      if (c - expected !== (expected === 40 ? 1 : 2)) continue
      open.pop()
      pairs.set(from, i)
    }
  }
  return pairs
}

/** At most 40 characters of the text at an offset, for a message. */
export function excerpt(text: string, at: number, end: number): string {
  if (at >= end) return 'the end of the line'
  const stop = Math.min(end, at + 40)
  let s = text.slice(at, stop)
  const newline = s.indexOf('\n')
  if (newline >= 0) s = s.slice(0, newline)
  return JSON.stringify(s.trimEnd() + (newline < 0 && stop < end ? '…' : ''))
}

/** Maximum number of listed problems; the rest are counted. */
const MAX_PROBLEMS = 50

/** Collects the problems of one reading. */
export class Problems {
  readonly list: Problem[] = []
  /** Lines with a problem, listed or counted. */
  readonly lines = new Set<number>()
  private more = 0

  constructor(readonly file: string) {}

  /** True once further problems are only counted. */
  get full(): boolean {
    return this.list.length >= MAX_PROBLEMS
  }

  add(line: number, column: number, found: string, expected: string, message?: string): void {
    this.lines.add(line)
    if (this.full) {
      this.more++
      return
    }
    const sentence = message ?? `Expected ${expected}, found ${found}.`
    this.list.push({ file: this.file, line, column, message: sentence, found, expected })
  }

  /** Notes on facts that the text leaves open although every line was read. */
  readonly notes: Problem[] = []

  note(line: number, message: string): void {
    if (this.notes.length < MAX_PROBLEMS) this.notes.push({ file: this.file, line, column: 1, message })
  }

  /** Reports a mark that replaces lines that somebody cut. */
  cut(line: number, column: number, mark: string): void {
    const message = `The text is cut here (${JSON.stringify(mark)}): the lines left out are missing.`
    this.add(line, column, JSON.stringify(mark), 'the lines left out', message)
  }

  /** The list, followed by a count of the omitted ones. */
  finish(lastLine: number): Problem[] {
    if (this.more > 0) {
      const message = `${this.more} more lines could not be read.`
      this.list.push({ file: this.file, line: lastLine, column: 1, message })
    }
    return this.list
  }
}
