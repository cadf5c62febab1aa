/** Reads the files named on the command line: text, or one Problem. */
import { readFileSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import { err, ok, type Result } from '../base/result'
import { encodingOf } from '../workspace'

/** Maximum file size, in bytes; a graph of 10,000 nodes has about 3 million. */
const LARGEST_FILE = 256 * 1024 * 1024

/** Base of relative paths: npm runs scripts in the package's folder, and passes the user's folder in INIT_CWD. */
const startFolder = (): string => process.env.INIT_CWD ?? process.cwd()

/**
 * @param name as typed; problems use the same name
 * @param expected description of the expected file, for the message
 */
export function readText(name: string, expected: string): Result<string> {
  const bad = (message: string, found?: string) =>
    err({ file: name, line: 1, column: 1, message: `${message}; expected ${expected}.`, found, expected })
  const path = resolve(startFolder(), name)
  let bytes: Buffer
  try {
    const stat = statSync(path)
    if (stat.isDirectory()) return bad('this is a folder')
    if (stat.size > LARGEST_FILE) return bad(`the file has ${stat.size} bytes, more than ${LARGEST_FILE}`)
    bytes = readFileSync(path)
  } catch (e) {
    const code = (e as NodeJS.ErrnoException).code
    return bad(code === 'ENOENT' ? 'the file does not exist' : `the file cannot be read (${code ?? String(e)})`)
  }
  const encoding = encodingOf(bytes)
  if (encoding === 'utf-8' && bytes.subarray(0, 8192).includes(0)) return bad('this is a binary file', 'a zero byte')
  try {
    return ok(new TextDecoder(encoding, { fatal: true }).decode(bytes))
  } catch {
    return bad(`this is not ${encoding.toUpperCase()} text`)
  }
}
