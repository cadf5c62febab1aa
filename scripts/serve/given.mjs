// @ts-check
/** The files that `fusescope FILE…` opens in the page: served beside dist, under a path that no other page can guess. */
import { randomBytes } from 'node:crypto'
import { statSync } from 'node:fs'
import { basename } from 'node:path'

/**
 * @param {readonly string[]} files
 * @returns {{ query: string, fileFor: (pathname: string) => string | null }} `query`: with which the page opens them
 * (src/app/features/open_files/given.ts)
 */
export function givenFiles(files) {
  const token = randomBytes(16).toString('hex')
  const paths = new Map(files.map((file, i) => [`${token}/${i}/${encodeURIComponent(basename(file))}`, file]))
  const query = new URLSearchParams([...paths.keys()].map((path) => ['file', path])).toString()
  return {
    query: query && `?${query}`,
    fileFor: (pathname) => paths.get(pathname.replace(GIVEN, '')) ?? null,
  }
}

export const GIVEN = /^\/given\//

/** @param {string} file @returns {boolean} */
export function isFile(file) {
  try {
    return statSync(file).isFile()
  } catch {
    return false
  }
}
