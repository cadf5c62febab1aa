/** Writes synchronously to the terminal or a pipe: process.exit would drop bytes that a pipe has not accepted yet. */
import { writeSync } from 'node:fs'
import { cutText } from '../python/bounds'

/** Stdout takes no more: a full disk, a limit of the file's size. Its message is a sentence. */
export class OutputRefused extends Error {}

const REASONS: Readonly<Record<string, string>> = {
  ENOSPC: 'no space is left on the device',
  EDQUOT: 'the quota is used up',
  EFBIG: 'the file would be too large',
}

/**
 * Writes all of a text to stdout (1) or stderr (2), waiting for a slow reader. Ignores a closed pipe.
 * @throws OutputRefused if stdout refuses the text; an error of stderr is ignored, because nothing can report it
 */
export function write(fd: 1 | 2, text: string): void {
  const bytes = Buffer.from(text)
  for (let at = 0; at < bytes.length;) {
    try {
      at += writeSync(fd, bytes, at, Math.min(bytes.length - at, 65_536))
    } catch (e) {
      const code = (e as NodeJS.ErrnoException).code
      if (code === 'EPIPE' || (fd === 2 && code !== 'EAGAIN')) return
      if (code !== 'EAGAIN')
        throw new OutputRefused(`the output could not be written: ${REASONS[code ?? ''] ?? code ?? String(e)}.`)
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5)
    }
  }
}

/** Text for people: names and messages of user code cannot move the cursor, change the title or reverse a line. */
export function show(fd: 1 | 2, text: string): void {
  write(fd, visible(text))
}

/** Frames of the library and of Python's import system, which Python prints when it crashes. */
const FOREIGN_FRAME = /^\s*File "(?:\/fusescope\/lib\/|<frozen |\/lib\/python)[^\n]*\n?/gm

/** What user code printed. */
export function showConsole(fd: 1 | 2, text: string): void {
  const own = text.replace(FOREIGN_FRAME, '')
  if (own !== '') show(fd, own.endsWith('\n') ? own : `${own}\n`)
}

/** A line of JSON. Control characters in it are escaped too: JSON leaves some of them as they are. */
export function writeJson(value: unknown): void {
  write(1, `${jsonText(value)}\n`)
}

export const jsonText = (value: unknown): string => JSON.stringify(value).replace(HIDDEN, (c) => `\\u${hex(c, 4)}`)

/** A graph, a link or a program: a file gets its exact bytes, a terminal what people can see of it. */
export function writeDocument(text: string): void {
  if (process.stdout.isTTY) show(1, text.endsWith('\n') ? text : `${text}\n`)
  else write(1, text)
}

/** A longer word is cut: one that a file holds may have a megabyte. */
const LONGEST_WORD = 2000
const SHOWN = 200

/** One line on stderr. */
export function complain(text: string): void {
  const line = text.replace(/\s*\n\s*/g, ' ').trim()
  const cut = (word: string): string => (word.length <= LONGEST_WORD ? word : cutText(word, SHOWN))
  show(2, `${line.replace(/\S+/g, cut)}\n`)
}

/** Controls of C0, but for tab and newline. */
const CONTROLS = /[\0-\x08\x0b-\x1f]/g
/** Delete, the controls of C1, marks of direction and separators of lines. */
const HIDDEN = /[\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g

const hex = (c: string, digits: number): string => c.charCodeAt(0).toString(16).padStart(digits, '0')

/** The text with control characters as `\x1b` and `\u202e`. */
export const visible = (text: string): string =>
  text
    .replace(/\r\n/g, '\n')
    .replace(CONTROLS, (c) => `\\x${hex(c, 2)}`)
    .replace(HIDDEN, (c) => (c < '\u0100' ? `\\x${hex(c, 2)}` : `\\u${hex(c, 4)}`))
