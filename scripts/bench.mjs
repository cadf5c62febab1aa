// @ts-check
/** `npm run bench`: runs every benchmark in turn; each prints figures and a ratio to a baseline from the same run. */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { bin, ensureBuilt, ensureInstalled, requireNode20, root, run } from './lib.mjs'

requireNode20()
if (!(await ensureInstalled()) || !(await ensureBuilt())) process.exit(1)
for (const file of readdirSync(join(root, 'bench')).filter((f) => f.endsWith('.ts') && f !== 'stats.ts')) {
  console.log(`\n── ${file} ──`)
  if ((await run(process.execPath, [bin('tsx/dist/cli.mjs'), join('bench', file)])) !== 0) process.exitCode = 1
}
