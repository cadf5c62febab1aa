// @ts-check
/** `npm run e2e [-- PLAYWRIGHT ARGUMENTS]`: rebuilds a stale dist and runs the browser tests in a real Chromium. */
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { ensureChromium } from './chromium.mjs'
import { bin, ensureBuilt, ensureInstalled, requireNode20, root, run } from './lib.mjs'

/**
 * @param {string[]} [args] for Playwright
 * @returns {Promise<boolean>}
 */
export async function runE2e(args = []) {
  if (!(await ensureBuilt())) return false
  const pages = join(root, 'e2e', 'pages')
  if (existsSync(pages) && readdirSync(pages).some((name) => name.endsWith('.html'))) {
    const build = [bin('vite/bin/vite.js'), 'build', '--logLevel', 'warn']
    if ((await run(process.execPath, build, { FUSESCOPE_TEST_PAGES: '1' })) !== 0) return false
  }
  const chromium = await ensureChromium()
  if (!chromium) return false
  return (
    (await run(process.execPath, [bin('@playwright/test/cli.js'), 'test', ...args], {
      FUSESCOPE_CHROMIUM: chromium,
    })) === 0
  )
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  requireNode20()
  if (!(await ensureInstalled())) process.exit(1)
  process.exit((await runE2e(process.argv.slice(2))) ? 0 : 1)
}
