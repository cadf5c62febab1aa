/** Reads the files named on the command line: text, or one Problem. */
import {
  closeSync,
  constants,
  fstatSync,
  openSync,
  readdirSync,
  readSync,
  realpathSync,
  statSync,
  type Dirent,
  type Stats,
} from 'node:fs'
import { dirname, isAbsolute, relative, resolve } from 'node:path'
import { err, ok, type Result } from '../base/result'
import { encodingOf } from '../workspace'

/** Maximum file size, in bytes; a graph of 10,000 nodes has about 3 million. */
export const LARGEST_FILE = 256 * 1024 * 1024

/** Base of relative paths: npm runs scripts in the package's folder, and passes the user's folder in INIT_CWD. */
export const startFolder = (): string => process.env.INIT_CWD ?? process.cwd()

/** A path as typed, resolved from the user's folder. */
export const pathOf = (name: string): string => resolve(startFolder(), name)

/** The entry at a name as typed; undefined if nothing can be seen. */
export function statOf(name: string): Stats | undefined {
  try {
    return statSync(pathOf(name), { throwIfNoEntry: false })
  } catch {
    return undefined
  }
}

/** The entries of a folder, by name; none for an unreadable folder. */
export function entriesOf(path: string): Dirent[] {
  try {
    return readdirSync(path, { withFileTypes: true })
  } catch {
    return []
  }
}

/** The target of a path's links; null if there is none. */
export function realPathOf(path: string): string | null {
  try {
    return realpathSync(path)
  } catch {
    return null
  }
}

/** True if a path, with its links, ends in a folder. */
export const isInside = (folder: string, path: string): boolean =>
  !isAway(relative(realPathOf(folder) ?? folder, realPathOf(path) ?? '/'))

const isAway = (path: string): boolean => /^\.\.(?:[/\\]|$)/.test(path) || isAbsolute(path)

/** True if a name as typed is a file's. */
export const isFile = (name: string): boolean => statOf(name)?.isFile() === true

/**
 * The text of a file.
 * @param name as typed; problems use the same name
 * @param expected description of the expected file, for the message
 */
export function readText(name: string, expected: string): Result<string> {
  const bytes = readBytes(name, expected)
  return bytes.ok ? textOf(bytes.value, name, expected) : bytes
}

/**
 * Opens a file named by an option, for writing. A stranger's checkout may contain a link of that name, or of a parent folder, that
 * leads out of it: it is not followed. /dev/stdout is a link too.
 * @throws Error; `unwritable` returns its sentence
 */
export function openToWrite(path: string, how: 'w' | 'a', mode = 0o666): number {
  const { O_APPEND, O_CREAT, O_NOFOLLOW = 0, O_RDWR, O_TRUNC, O_WRONLY } = constants
  const isDevice = /^\/dev\/(?!shm\/)/.test(path)
  const flags = how === 'w' ? O_WRONLY | O_TRUNC : O_RDWR | O_APPEND
  const [start, folder] = [startFolder(), dirname(path)]
  if (!isDevice && !isAway(relative(start, path)) && realPathOf(folder) !== null && !isInside(start, folder))
    throw Object.assign(new Error('a folder of the path is a link'), { code: LINKED_FOLDER })
  return openSync(path, flags | O_CREAT | (isDevice ? 0 : O_NOFOLLOW), mode)
}

const LINKED_FOLDER = 'LINKED_FOLDER'

/** Why a file cannot be written, without a full stop. */
export function unwritable(e: unknown): string {
  const { code } = e as NodeJS.ErrnoException
  if (code === LINKED_FOLDER) return 'its folder is a link out of the current folder; name the folder that it leads to'
  return code === 'ELOOP'
    ? 'this is a link, and output is never written through links'
    : `the file cannot be written (${code})`
}

/** The bytes of a file; the parameters are those of readText. */
export function readBytes(name: string, expected: string): Result<Buffer> {
  let file: number | null = null
  try {
    // A pipe without a writer would block.
    file = openSync(pathOf(name), constants.O_RDONLY | (constants.O_NONBLOCK ?? 0))
    const stat = fstatSync(file)
    if (!stat.isFile()) return bad(name, `this is ${kindOf(stat)}`, expected)
    const bytes = stat.size > LARGEST_FILE ? null : bytesOf(file, stat.size)
    return bytes ? ok(bytes) : bad(name, `the file has more than ${LARGEST_FILE} bytes`, expected)
  } catch (e) {
    const code = (e as NodeJS.ErrnoException).code
    const message = MESSAGES[code ?? ''] ?? `the file cannot be read (${code ?? String(e)})`
    return bad(name, message, expected)
  } finally {
    if (file !== null) closeSync(file)
  }
}

const MESSAGES: Readonly<Record<string, string>> = {
  ENOENT: 'the file does not exist',
  ENXIO: 'this is a socket, or a device that is not there',
  // rights.ts: Node's permission model treats a star as a wildcard.
  ERR_ACCESS_DENIED: 'the box of user code may not read it: a folder with a star in its name cannot be given to it',
}

/** Reads to the end of a file whose size may be wrong (files in /proc report 0); null: it has more than LARGEST_FILE. */
function bytesOf(file: number, size: number): Buffer | null {
  let bytes = Buffer.allocUnsafe(Math.max(size + 1, 65_536))
  for (let length = 0; ;) {
    const read = readSync(file, bytes, length, bytes.length - length, null)
    if (read === 0) return bytes.subarray(0, length)
    length += read
    if (length > LARGEST_FILE) return null
    if (length === bytes.length) bytes = Buffer.concat([bytes, Buffer.allocUnsafe(length)])
  }
}

function kindOf(stat: Stats): string {
  if (stat.isDirectory()) return 'a folder'
  if (stat.isFIFO()) return 'a pipe, not a file: write its content to a file first'
  return stat.isSocket() ? 'a socket' : 'a device'
}

/** The text of a file's bytes; the parameters are those of readText. */
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

/** The value of a JSON text; null for other text. */
export function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
