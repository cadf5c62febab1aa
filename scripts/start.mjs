// @ts-check
/**
 * `npm start`: everything from a fresh clone to an open address.
 *   npm start -- --host ADDRESS   listens on another address of this machine (0.0.0.0: all)
 */
import { pathToFileURL } from 'node:url'
import { ensureBuilt, ensureInstalled, requireNode20 } from './lib.mjs'
import { createStaticServer, listen } from './serve.mjs'
import { givenFiles } from './serve/given.mjs'

/**
 * Serves the page, and prints its address.
 * @param {{ address?: string, files?: readonly string[] }} [options] `files`: opened in the page
 * @returns {Promise<string>} the address
 */
export async function startPage({ address, files = [] } = {}) {
  requireNode20()
  if (!(await ensureInstalled())) process.exit(1)
  if (!(await ensureBuilt())) process.exit(1)
  const given = givenFiles(files)
  const server = createStaticServer(['dist'], address, given.fileFor)
  const wanted = Number(process.env.PORT) || 4173
  try {
    const port = await listen(server, wanted, 100, address)
    const name = address === undefined ? 'localhost' : address.includes(':') ? `[${address}]` : address
    const url = `http://${name}:${port}/${given.query}`
    console.log(`\n  Fusescope is at  ${url}\n\n  Press Ctrl+C to stop.`)
    return url
  } catch (error) {
    console.error(
      `No port can be opened from ${wanted} on (${/** @type {Error} */ (error).message}); set PORT to another.`,
    )
    return process.exit(1)
  }
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const [option, address] = process.argv.slice(2)
  if (option !== undefined && (option !== '--host' || !address)) {
    console.error(`start: unknown argument ${option}; expected --host ADDRESS.`)
    process.exit(2)
  }
  await startPage({ address })
}
