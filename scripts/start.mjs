// @ts-check
/** `npm start`: everything from a fresh clone to an open address. */
import { ensureBuilt, ensureInstalled, requireNode20 } from './lib.mjs'
import { createStaticServer, listen } from './serve.mjs'

requireNode20()
if (!(await ensureInstalled())) process.exit(1)
if (!(await ensureBuilt())) process.exit(1)
const server = createStaticServer(['dist'])
const wanted = Number(process.env.PORT) || 4173
try {
  const port = await listen(server, wanted)
  console.log(`\n  Fusescope is at  http://localhost:${port}/\n\n  Press Ctrl+C to stop.`)
} catch (error) {
  console.error(
    `No port can be opened from ${wanted} on (${/** @type {Error} */ (error).message}); set PORT to another.`,
  )
  process.exit(1)
}
