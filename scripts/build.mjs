// @ts-check
/** `npm run build`: dist/, for any static host. */
import { ensureBuilt, ensureInstalled, requireNode20 } from './lib.mjs'

requireNode20()
if (!(await ensureInstalled())) process.exit(1)
process.exit((await ensureBuilt({ force: true })) ? 0 : 1)
