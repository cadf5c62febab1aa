// @ts-check
/** `npm run -s fusescope -- …`: installs missing dependencies without output on stdout, and runs the command line. */
import { join } from 'node:path'
import { ensureInstalled, requireNode20, root } from './lib.mjs'
import { spawn } from 'node:child_process'

requireNode20()
if (!(await ensureInstalled())) process.exit(2)
const tsx = new URL('../node_modules/tsx/dist/loader.mjs', import.meta.url).href
const child = spawn(process.execPath, ['--import', tsx, join(root, 'src/cli/main.ts'), ...process.argv.slice(2)], {
  stdio: 'inherit',
  // Paths are relative to the user's folder: npm passes it in INIT_CWD, and without npm it is the current folder.
  env: { ...process.env, INIT_CWD: process.env.INIT_CWD ?? process.cwd() },
})
for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM'])) process.on(signal, () => child.kill(signal))
child.on('close', (status, signal) => process.exit(signal ? 130 : (status ?? 1)))
