// @ts-check
/**
 * `npm start`: everything from a fresh clone to an open address.
 *   npm start -- --host ADDRESS   listens on another address of this machine (0.0.0.0: all)
 */
import { ensureBuilt, ensureInstalled, requireNode20 } from './lib.mjs'
import { createStaticServer, listen } from './serve.mjs'

const [option, address] = process.argv.slice(2)
if (option !== undefined && (option !== '--host' || !address)) {
  console.error(`start: unknown argument ${option}; expected --host ADDRESS.`)
  process.exit(2)
}
requireNode20()
if (!(await ensureInstalled())) process.exit(1)
if (!(await ensureBuilt())) process.exit(1)
const server = createStaticServer(['dist'], address)
const wanted = Number(process.env.PORT) || 4173
try {
  const port = await listen(server, wanted, 100, address)
  const name = address === undefined ? 'localhost' : address.includes(':') ? `[${address}]` : address
  console.log(`\n  Fusescope is at  http://${name}:${port}/\n\n  Press Ctrl+C to stop.`)
} catch (error) {
  console.error(
    `No port can be opened from ${wanted} on (${/** @type {Error} */ (error).message}); set PORT to another.`,
  )
  process.exit(1)
}
