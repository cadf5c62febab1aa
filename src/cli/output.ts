/**
 * Everything that the command line prints. Writes synchronously to the terminal or a pipe: process.exit would drop bytes that a
 * pipe has not accepted yet.
 */
import { fstatSync, writeSync } from 'node:fs'
import { isatty } from 'node:tty'
import { HIDDEN, hiddenEscaped } from '../base/escapes'
import { commandsEscaped, inRunner } from '../base/runner_commands'
import { cutText } from '../python/bounds'
import { BAD_INPUT } from './status'

/** Stdout accepts no more data: a full disk, a file size limit. Its message is a sentence. */
export class OutputRefused extends Error {}

const REASONS: Readonly<Record<string, string>> = {
  ENOSPC: 'no space is left on the device',
  EDQUOT: 'the quota is used up',
  EFBIG: 'the file would be too large',
}

/**
 * Writes a text of Fusescope's own to stdout (1) or stderr (2), waiting for a slow reader. Ignores a closed pipe.
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

/**
 * Lines for people. A name or message in a line must not begin another line, move the cursor, hide or reverse text, or command a
 * workflow runner: such characters are escaped here, where all text is printed.
 */
export function show(fd: 1 | 2, lines: readonly string[]): void {
  write(fd, lines.map((line) => `${visible(line)}\n`).join(''))
}

/** A name within a line: quoted if its spaces would read as Fusescope's own words. */
export const named = (name: string): string => (/^\S+$/.test(name) ? name : JSON.stringify(name))

/** Frames of the library and of Python's import system, which Python prints when it crashes. */
const FOREIGN_FRAME = /^\s*File "(?:\/fusescope\/lib\/|<frozen |\/lib\/python)[^\n]*\n?/gm

/** Output of user code, on stderr and marked: stdout contains only Fusescope's own lines. */
export function showConsole(text: string): void {
  const own = text.replace(FOREIGN_FRAME, '').replace(/\n$/, '')
  if (own === '') return
  show(
    2,
    own.split('\n').map((line) => `user code: ${line}`),
  )
}

/** A line of JSON, in which characters that a terminal or a runner would obey are JSON escapes. */
export function writeJson(value: unknown): void {
  write(1, `${jsonText(value)}\n`)
}

export const jsonText = (value: unknown): string => jsonEscaped(JSON.stringify(value))

/** A line of JSON that another process wrote. */
export function writeJsonLine(text: string): void {
  write(1, `${jsonEscaped(text)}\n`)
}

const jsonEscape = (c: string): string =>
  [...Array(c.length).keys()].map((i) => `\\u${c.charCodeAt(i).toString(16).padStart(4, '0')}`).join('')

/** JSON text of the same value. */
const jsonEscaped = (text: string): string => commandsEscaped(text.replace(HIDDEN, jsonEscape), jsonEscape)

/**
 * A graph, a link or a program: a file or another program gets the exact bytes; a terminal and a workflow's log get only visible
 * text.
 */
export function writeDocument(text: string): void {
  const lines = text.replace(/\n$/, '').split(/\r?\n/)
  // The box hides process.stdout.
  if (isatty(1)) return show(1, lines)
  if (!isLogged() || lines.every((line) => visible(line) === line)) return write(1, text)
  show(1, lines)
  complain('What the log of a workflow would obey is escaped above; with > FILE, the file has the exact text.')
}

/**
 * True if a runner reads stdout: its variables are in the environment, and stdout is not a separate file (in Jenkins, stdout and
 * stderr are one file). A process of user code cannot see either: its parent sets FUSESCOPE_LOGGED.
 */
export function isLogged(): boolean {
  if (process.env.FUSESCOPE_BOX !== undefined) return process.env.FUSESCOPE_LOGGED === '1'
  if (!inRunner(process.env)) return false
  try {
    const [out, err] = [fstatSync(1), fstatSync(2)]
    return !out.isFile() || (out.dev === err.dev && out.ino === err.ino)
  } catch {
    return true
  }
}

/** Longer words are cut: a word in a file may have a megabyte. */
const LONGEST_WORD = 2000
const SHOWN = 200

/** One line on stderr. */
export function complain(text: string): void {
  const line = text.replace(/\s*\n\s*/g, ' ').trim()
  const cut = (word: string): string => (word.length <= LONGEST_WORD ? word : cutText(word, SHOWN))
  show(2, [line.replace(/\S+/g, cut)])
}

/** Prints on stderr what is wrong with an input. @returns the exit status */
export function bad(message: string): number {
  complain(message)
  return BAD_INPUT
}

/** The text as one line, with hidden characters in Python's notation: `\x1b`, `\u202e`, `\U000e0041`. */
export const visible = (text: string): string => commandsEscaped(text.replace(HIDDEN, hiddenEscaped), hiddenEscaped)
