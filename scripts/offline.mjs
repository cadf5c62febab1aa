// @ts-check
/** Writes dist/sw.js, the service worker that keeps the built page for use without a network (scripts/offline/worker.js). */
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Compressed copies, hosts' settings, and load.html: it reads files of other hosts in a sandbox, which no service worker answers. */
const LEFT_OUT = /\.(?:br|gz)$|^(?:\.|_headers$|sw\.js$|load\.(?:html|js)$)/

/** @param {string | Buffer} data */
const sha256 = (data) => createHash('sha256').update(data).digest('hex')

/** @param {string} dist @returns {string[]} the files that the page consists of, with slashes */
export const pageFiles = (dist) =>
  readdirSync(dist, { recursive: true, encoding: 'utf8' })
    .map((name) => name.replaceAll('\\', '/'))
    .filter((name) => !LEFT_OUT.test(name) && statSync(join(dist, name)).isFile())
    .sort()

/** @param {string} dist a fresh build */
export function writeServiceWorker(dist) {
  const files = JSON.stringify(
    Object.fromEntries(pageFiles(dist).map((name) => [name, sha256(readFileSync(join(dist, name)))])),
    null,
    1,
  )
  const headers = sha256(readFileSync(join(dist, '_headers'))).slice(0, 16)
  const worker = readFileSync(fileURLToPath(new URL('offline/worker.js', import.meta.url)), 'utf8')
  const text = worker
    .replace('__FILES__', () => files)
    .replace('__HEADERS__', headers)
    .replace('__VERSION__', sha256(worker + files + headers).slice(0, 16))
  writeFileSync(join(dist, 'sw.js'), text)
}
