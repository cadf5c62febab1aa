#!/usr/bin/env node
// @ts-check
/**
 * `fusescope`, in the package and as `npm run -s fusescope --` in a checkout, where it first installs missing dependencies
 * without output on stdout.
 *   fusescope                     serves the page and opens it in the browser
 *   fusescope FILE…               opens graphs and Python files in it
 *   fusescope COMMAND …           the command line, from its bundle or, where that cannot be written, from its sources
 */
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { ensureInstalled, isPackage, requireNode20, root } from './lib.mjs'

requireNode20()
if (!(await ensureInstalled())) process.exit(2)
// Paths are relative to the user's folder: npm run passes it in INIT_CWD, and otherwise it is the current folder.
if (isPackage || process.env.INIT_CWD === undefined) process.env.INIT_CWD = currentFolder()
const args = process.argv.slice(2)
const pathOf = (/** @type {string} */ file) => resolve(process.env.INIT_CWD ?? '', file)
// No command has a dot or a slash in its name.
const first = args[0]
if (first === undefined || (/^[^-].*[./\\]|^[./\\]/.test(first) && existsSync(pathOf(first))))
  await openPage(args.map(pathOf))
else await runCommand()

/** @param {readonly string[]} files */
async function openPage(files) {
  const { isFile } = await import('./serve/given.mjs')
  const other = files.findIndex((file) => !isFile(file))
  if (other >= 0) {
    console.error(
      `${shown(String(args[other]))} is not a file; expected graphs and Python files, or a command (fusescope help).`,
    )
    process.exit(2)
  }
  const { startPage } = await import('./start.mjs')
  const { openBrowser } = await import('./serve/open_browser.mjs')
  openBrowser(await startPage({ files }))
}

/**
 * A name in quotes, with escapes for control characters of a terminal and the first characters of a workflow runner's commands.
 * @param {string} name
 * @returns {string}
 */
function shown(name) {
  const hidden = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800#[<]/gu
  return JSON.stringify(name).replace(hidden, (c) => `\\u{${c.codePointAt(0)?.toString(16)}}`)
}

async function runCommand() {
  const { cliBundle } = await import('./cli-bundle.mjs')
  const bundle = await cliBundle()
  if (bundle !== null) await import(bundle)
  else runSources()
}

/** @returns {string} */
function currentFolder() {
  try {
    return process.cwd()
  } catch {
    console.error('The current folder does not exist any more: go to another one.')
    return process.exit(2)
  }
}

/** Compiling the sources needs rights that user code's box lacks. */
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
