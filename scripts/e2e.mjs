// @ts-check
/**
 * `npm run e2e [-- PLAYWRIGHT ARGUMENTS]`: rebuilds a stale dist and runs the browser tests in a real Chromium, and the jobs of
 * docs/browsers.md in Firefox and WebKit where they are. `-- --browser chromium|firefox|webkit`: only these (browsers/run.mjs).
 */
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { ensureChromium } from './chromium.mjs'
import { BROWSERS, isBrowser } from './browsers/find.mjs'
import { bin, ensureBuilt, ensureInstalled, requireNode20, root, run } from './lib.mjs'

/**
 * @param {string[]} [args] for Playwright
 * @returns {Promise<boolean>}
 */
export async function runE2e(args = []) {
  if (!(await ensureBuilt())) return false
  const [flag, browser] = args
  if (flag === '--browser' && isBrowser(browser)) {
    if (!(await buildTestPages())) return false
    const { runBrowser } = await import('./browsers/run.mjs')
    return runBrowser(browser, { all: args.includes('--all'), write: args.includes('--write') })
  }
  // Beside each other: the jobs of a browser wait for their page most of the time, and open no page of the tests.
  const [status, others] = await Promise.all([runPlaywright(args), args.length > 0 || otherBrowsers()])
  return status && others
}

/** @param {string[]} args */
async function runPlaywright(args) {
  const chromium = await ensureChromium()
  if (!chromium || !(await buildTestPages())) return false
  const command = [bin('@playwright/test/cli.js'), 'test', ...args]
  return (await run(process.execPath, command, { FUSESCOPE_CHROMIUM: chromium })) === 0
}

/** Builds the pages that only tests open (e2e/pages). */
async function buildTestPages() {
  const pages = join(root, 'e2e', 'pages')
  if (!existsSync(pages) || !readdirSync(pages).some((name) => name.endsWith('.html'))) return true
  const build = [bin('vite/bin/vite.js'), 'build', '--logLevel', 'warn']
  return (await run(process.execPath, build, { FUSESCOPE_TEST_PAGES: '1' })) === 0
}

/**
 * The jobs in the other browsers that are there, side by side: each waits for its page most of the time. With
 * FUSESCOPE_ALL_BROWSERS, as in the workflow, one that is missing is a failure.
 */
async function otherBrowsers() {
  const { runBrowser } = await import('./browsers/run.mjs')
  const there = /** @type {const} */ (['firefox', 'webkit']).filter(
    (name) => process.env.FUSESCOPE_ALL_BROWSERS || BROWSERS[name].find() !== null,
  )
  return (
    await Promise.all(
      there.map(async (name) => (await runBrowser(name)) || (console.log(`${name}: another try`), runBrowser(name))),
    )
  ).every(Boolean)
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  requireNode20()
  if (!(await ensureInstalled())) process.exit(1)
  process.exit((await runE2e(process.argv.slice(2))) ? 0 : 1)
}
