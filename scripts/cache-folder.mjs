// @ts-check
/** The folder in which commands cache files: the bundle of the command line and Python's memory snapshot. */
import { accessSync, constants, lstatSync, mkdirSync } from 'node:fs'
import { createHash } from 'node:crypto'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { root } from './lib.mjs'

/**
 * `.cache`, or a private folder of the user in the system's temporary directory if `.cache` is not writable.
 * @param {string} [usual]
 * @param {string} [temporary] the folder of temporary files
 * @returns {string | null} null: neither can be written
 */
export function cacheFolder(usual = join(root, '.cache'), temporary = tmpdir()) {
  return isWritable(usual) ? usual : privateFolder(temporary)
}

/** @param {string} folder */
function isWritable(folder) {
  try {
    mkdirSync(folder, { recursive: true })
    accessSync(folder, constants.W_OK)
    return true
  } catch {
    return false
  }
}

/**
 * The code in it runs with the user's rights, so it must belong to the user, and nobody else may write to it.
 * @param {string} temporary
 */
function privateFolder(temporary) {
  const checkout = createHash('sha256').update(root).digest('hex').slice(0, 8)
  const folder = join(temporary, `fusescope-${process.getuid?.() ?? 'user'}-${checkout}`)
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    const found = lstatSync(folder)
    if (!found.isDirectory()) return null
    if (process.getuid && (found.uid !== process.getuid() || (found.mode & 0o077) !== 0)) return null
    if (!isWritable(folder)) return null
    return folder
  } catch {
    return null
  }
}
