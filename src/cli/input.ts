/** Reads the files named on the command line: text, or one Problem. */
import { readFileSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import { err, ok, type Result } from '../base/result'
import { encodingOf } from '../workspace'

/** Maximum file size, in bytes; a graph of 10,000 nodes has about 3 million. */
const LARGEST_FILE = 256 * 1024 * 1024

/** Base of relative paths: npm runs scripts in the package's folder, and passes the user's folder in INIT_CWD. */
export const startFolder = (): string => process.env.INIT_CWD ?? process.cwd()

/** A path as typed, from the folder that the user is in. */
export const pathOf = (name: string): string => resolve(startFolder(), name)

/** Whether a name as typed is a file's. */
export function isFile(name: string): boolean {
  try {
    return statSync(pathOf(name)).isFile()
  } catch {
    return false
  }
}

/**
 * The text of a file.
 * @param name as typed; problems use the same name
 * @param expected description of the expected file, for the message
 */
export function readText(name: string, expected: string): Result<string> {
  const bytes = readBytes(name, expected)
  return bytes.ok ? textOf(bytes.value, name, expected) : bytes
}

/** The bytes of a file, of which readText takes the same parameters. */
export function readBytes(name: string, expected: string): Result<Buffer> {
  const path = pathOf(name)
  try {
    const stat = statSync(path)
    if (stat.isDirectory()) return bad(name, 'this is a folder', expected)
    if (stat.size > LARGEST_FILE)
      return bad(name, `the file has ${stat.size} bytes, more than ${LARGEST_FILE}`, expected)
    return ok(readFileSync(path))
  } catch (e) {
    const code = (e as NodeJS.ErrnoException).code
    const message = code === 'ENOENT' ? 'the file does not exist' : `the file cannot be read (${code ?? String(e)})`
    return bad(name, message, expected)
  }
}

/** The text of a file's bytes, of which readText takes the same parameters. */
export function textOf(bytes: Buffer, name: string, expected: string): Result<string> {
  const encoding = encodingOf(bytes)
  if (encoding === 'utf-8' && bytes.subarray(0, 8192).includes(0))
    return bad(name, 'this is a binary file', expected, 'a zero byte')
  try {
    return ok(new TextDecoder(encoding, { fatal: true }).decode(bytes))
  } catch {
    return bad(name, `this is not ${encoding.toUpperCase()} text`, expected)
  }
}

const bad = (file: string, message: string, expected: string, found?: string) =>
  err({ file, line: 1, column: 1, message: `${message}; expected ${expected}.`, found, expected })
