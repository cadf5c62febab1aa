// @ts-check
/**
 * `npm run -s fusescope -- …`: installs missing dependencies without output on stdout, and runs the command line, from
 * its bundle or, where that cannot be written, from its sources.
 */
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { ensureInstalled, requireNode20, root } from './lib.mjs'

requireNode20()
if (!(await ensureInstalled())) process.exit(2)
// Paths are relative to the user's folder: npm passes it in INIT_CWD, and without npm it is the current folder.
process.env.INIT_CWD ??= currentFolder()
const { cliBundle } = await import('./cli-bundle.mjs')
const bundle = await cliBundle()
if (bundle !== null) await import(bundle)
else runSources()

/** @returns {string} */
function currentFolder() {
  try {
    return process.cwd()
  } catch {
    console.error('The current folder does not exist any more: go to another one.')
    return process.exit(2)
  }
}

/** Compiling the sources needs rights that the box of user code does not give. */
function runSources() {
  console.error(
    'The bundle cannot be written to .cache or to a private temporary folder: user code runs without a box and without a time limit.',
  )
  const tsx = new URL('../node_modules/tsx/dist/loader.mjs', import.meta.url).href
  const child = spawn(process.execPath, ['--import', tsx, join(root, 'src/cli/main.ts'), ...process.argv.slice(2)], {
    stdio: 'inherit',
  })
  for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM'])) process.on(signal, () => child.kill(signal))
  child.on('close', (status, signal) => process.exit(signal ? 130 : (status ?? 1)))
}
