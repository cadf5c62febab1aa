// @ts-check
/** Writes dist/sw.js, the service worker that keeps the built page for use without a network (scripts/offline/worker.js). */
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { typeOf } from './serve/files.mjs'

/** Compressed copies, hosts' settings, and load.html: it reads files of other hosts in a sandbox, which no service worker answers. */
const LEFT_OUT = /\.(?:br|gz)$|^(?:\.|_headers$|sw\.js$|kept\.txt$|load\.(?:html|js)$)/

/** Texts that the page reads as data, hundreds of them: the worker fetches and stores them as one file. */
const DATA = /^(?:bases|examples|lessons)\/.*\.(?:json|md|py|txt)$/
const DATA_FILE = 'kept.txt'

/** @param {string | Buffer} data */
const sha256 = (data) => createHash('sha256').update(data).digest('hex')

/** @param {string} dist @returns {string[]} the files that the page consists of, with slashes */
export const pageFiles = (dist) =>
  readdirSync(dist, { recursive: true, encoding: 'utf8' })
    .map((name) => name.replaceAll('\\', '/'))
    .filter((name) => !LEFT_OUT.test(name) && statSync(join(dist, name)).isFile())
    .sort()

/**
 * Joins the data of a build into DATA_FILE.
 * @param {string} dist @param {readonly string[]} names
 * @returns {Record<string, [start: number, end: number, type: string]>} where each lies in it, in bytes
 */
function writeDataFile(dist, names) {
  /** @type {Buffer[]} */
  const texts = []
  let end = 0
  const parts = Object.fromEntries(
    names.map((name) => {
      const bytes = readFileSync(join(dist, name))
      texts.push(bytes)
      return [name, /** @type {[number, number, string]} */ ([end, (end += bytes.length), typeOf(name)])]
    }),
  )
  writeFileSync(join(dist, DATA_FILE), Buffer.concat(texts))
  return parts
}

/** @param {string} dist a fresh build */
export function writeServiceWorker(dist) {
  const names = pageFiles(dist)
  const parts = JSON.stringify(
    writeDataFile(
      dist,
      names.filter((name) => DATA.test(name)),
    ),
  )
  const single = [...names.filter((name) => !DATA.test(name)), DATA_FILE]
  const files = JSON.stringify(
    Object.fromEntries(single.map((name) => [name, sha256(readFileSync(join(dist, name)))])),
    null,
    1,
  )
  const headers = sha256(readFileSync(join(dist, '_headers'))).slice(0, 16)
  const worker = readFileSync(fileURLToPath(new URL('offline/worker.js', import.meta.url)), 'utf8')
  const text = worker
    .replace('__FILES__', () => files)
    .replace('__PARTS__', () => parts)
    .replace('__DATA_FILE__', DATA_FILE)
    .replace('__HEADERS__', headers)
    .replace('__VERSION__', sha256(worker + files + parts + headers).slice(0, 16))
  writeFileSync(join(dist, 'sw.js'), text)
}
