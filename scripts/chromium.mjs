// @ts-check
/**
 * Finds the Chromium for end-to-end tests: $FUSESCOPE_CHROMIUM, an installed one, Debian's package when run as root
 * there, else Playwright's own download.
 *
 *   node scripts/chromium.mjs     prints its path, after installing one if necessary
 */
import { existsSync } from 'node:fs'
import { spawnSync } from 'node:child_process'
import { pathToFileURL } from 'node:url'
import { bin, onPath, run } from './lib.mjs'

/** Flags for WebGPU in a headless Chromium without a GPU (SwiftShader), and without background requests. */
export const CHROMIUM_FLAGS = [
  '--no-sandbox',
  '--enable-unsafe-webgpu',
  '--use-webgpu-adapter=swiftshader',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
]

const PLACES = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
]

/** @returns {string | null} an installed Chromium; Playwright finds its own download itself */
export function findChromium() {
  const named = process.env.FUSESCOPE_CHROMIUM
  if (named) return existsSync(named) ? named : null
  return PLACES.find((path) => existsSync(path)) ?? null
}

/** @returns {Promise<string | null>} the path of Playwright's own Chromium, if downloaded */
async function playwrightChromium() {
  const { chromium } = await import('@playwright/test')
  const path = chromium.executablePath()
  return existsSync(path) ? path : null
}

/** Ubuntu's chromium-browser may be a script that only prints installation instructions; so may its firefox. @param {string} path */
export const starts = (path) =>
  process.platform === 'win32' || spawnSync(path, ['--version'], { stdio: 'ignore', timeout: 60_000 }).status === 0

const isRoot = () => process.getuid?.() === 0

/**
 * Finds a Chromium or installs one.
 * @returns {Promise<string | null>} its path; null, with the reason printed, if that fails
 */
export async function ensureChromium() {
  const named = process.env.FUSESCOPE_CHROMIUM
  if (named && !existsSync(named)) {
    console.error(`$FUSESCOPE_CHROMIUM is ${named}, and there is no such file.`)
    return null
  }
  const found = [findChromium(), named ? null : await playwrightChromium()].find((path) => path && starts(path))
  if (found) return found
  if (named) {
    console.error(`$FUSESCOPE_CHROMIUM is ${named}, which does not start.`)
    return null
  }
  if (isRoot() && onPath('apt-get')) {
    console.log("Installing Debian's Chromium (apt-get install chromium) …")
    const env = { DEBIAN_FRONTEND: 'noninteractive' }
    spawnSync('apt-get', ['update', '-qq'], { stdio: 'inherit', env: { ...process.env, ...env } })
    const status = await run('apt-get', ['install', '-y', '-qq', '--no-install-recommends', 'chromium'], env)
    const installed = status === 0 ? findChromium() : null
    if (installed) return installed
    console.log("Debian's package did not install; trying Playwright's own Chromium.")
  }
  console.log("Installing Playwright's Chromium …")
  const withDeps = isRoot() && onPath('apt-get') ? ['--with-deps'] : []
  await run(process.execPath, [bin('@playwright/test/cli.js'), 'install', ...withDeps, 'chromium'])
  const own = await playwrightChromium()
  if (!own) {
    console.error('No Chromium found, and the installation failed.')
    console.error('Install Chromium or Chrome, or set FUSESCOPE_CHROMIUM to its path, and run this again.')
  }
  return own
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const path = await ensureChromium()
  if (path) console.log(path)
  process.exit(path ? 0 : 1)
}
