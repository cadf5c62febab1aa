/**
 * All that the command line prints. It writes synchronously to the terminal or a pipe: process.exit would drop bytes that a pipe has not
 * accepted yet.
 */
import { fstatSync, writeSync } from 'node:fs'
import { isatty } from 'node:tty'
import { HIDDEN, hiddenEscaped } from '../base/escapes'
import { commandsEscaped, inRunner } from '../base/runner_commands'
import { cutText } from '../python/bounds'
import { BAD_INPUT } from './status'

/** Stdout takes no more: a full disk, a limit of the file's size. Its message is a sentence. */
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
 * Lines for people. A name or a message in one cannot begin another line, move the cursor, hide text or reverse it, or command the
 * runner of a workflow: what would is escaped here, where all text is printed.
 */
export function show(fd: 1 | 2, lines: readonly string[]): void {
  write(fd, lines.map((line) => `${visible(line)}\n`).join(''))
}

/** A name within a line: quoted where its spaces would read as words of Fusescope's. */
export const named = (name: string): string => (/^\S+$/.test(name) ? name : JSON.stringify(name))

/** Frames of the library and of Python's import system, which Python prints when it crashes. */
const FOREIGN_FRAME = /^\s*File "(?:\/fusescope\/lib\/|<frozen |\/lib\/python)[^\n]*\n?/gm

/** What user code printed, on stderr and marked: stdout holds Fusescope's own lines only. */
export function showConsole(text: string): void {
  const own = text.replace(FOREIGN_FRAME, '').replace(/\n$/, '')
  if (own === '') return
  show(
    2,
    own.split('\n').map((line) => `user code: ${line}`),
  )
}

/** A line of JSON, with what a terminal or a runner would obey as escapes of JSON. */
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
 * A graph, a link or a program: a file or another program gets its exact bytes, a terminal and the log of a workflow what people can see
 * of it.
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
 * True where a runner reads stdout: in its environment, unless stdout is a file of its own (Jenkins has stdout and stderr in one file). A
 * process of user code has neither: its parent sets FUSESCOPE_LOGGED.
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

/** A longer word is cut: one that a file holds may have a megabyte. */
const LONGEST_WORD = 2000
const SHOWN = 200

/** One line on stderr. */
export function complain(text: string): void {
  const line = text.replace(/\s*\n\s*/g, ' ').trim()
  const cut = (word: string): string => (word.length <= LONGEST_WORD ? word : cutText(word, SHOWN))
  show(2, [line.replace(/\S+/g, cut)])
}

/** Says on stderr what is wrong with an input. @returns the exit status */
export function bad(message: string): number {
  complain(message)
  return BAD_INPUT
}

/** The text as one line, with hidden characters as Python writes them: `\x1b`, `\u202e`, `\U000e0041`. */
export const visible = (text: string): string => commandsEscaped(text.replace(HIDDEN, hiddenEscaped), hiddenEscaped)
