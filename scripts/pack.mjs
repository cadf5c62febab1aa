// @ts-check
/** The parts of the npm package that are built: the built page (dist/) and the command line (cli/). */
import { packedBundle } from './cli-bundle.mjs'
import { ensureBuilt, ensureInstalled, requireNode20 } from './lib.mjs'

requireNode20()
if (!(await ensureInstalled()) || !(await ensureBuilt())) process.exit(1)
await packedBundle('cli')
