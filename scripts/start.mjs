// @ts-check
/** `npm start`: everything from a fresh clone to an open address. */
import { ensureBuilt, ensureInstalled, requireNode20 } from './lib.mjs'
import { createStaticServer, listen } from './serve.mjs'

requireNode20()
if (!(await ensureInstalled())) process.exit(1)
if (!(await ensureBuilt())) process.exit(1)
const server = createStaticServer(['dist'])
const port = await listen(server, Number(process.env.PORT) || 4173)
console.log(`\n  Fusescope is at  http://localhost:${port}/\n\n  Press Ctrl+C to stop.`)
