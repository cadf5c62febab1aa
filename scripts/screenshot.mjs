// @ts-check
/**
 *   npm run screenshot                  writes docs/screenshot.png, an example with a selected match
 *   npm run screenshot -- all [NAME]…   writes each screen, or those named, in three widths and both themes, to
 *                                       .cache/screenshots/NAME-WIDTH-THEME.png
 */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { chromium } from '@playwright/test'
import { CHROMIUM_FLAGS, ensureChromium } from './chromium.mjs'
import { ensureBuilt, root } from './lib.mjs'
import { serveDist } from './serve.mjs'

/** @typedef {{ name: string, address?: string, panel?: string, overlay?: string, mode?: string }} Screen */

const EXAMPLE = './?example=silu-mul-block-quant'
const PANELS = [
  'matches',
  'whynot',
  'patterns',
  'run',
  'pipeline',
  'outline',
  'problems',
  'console',
  'steps',
  'inspector',
]
const OVERLAYS = [
  'gallery',
  'lessons',
  'new',
  'share',
  'help',
  'palette',
  'glossary',
  'workspaces',
  'my-patterns',
  'find-files',
]
/** @type {Screen[]} */
const SCREENS = [
  { name: 'first' },
  { name: 'example', address: EXAMPLE },
  { name: 'split', address: EXAMPLE, mode: 'split' },
  ...PANELS.map((panel) => ({ name: panel, address: EXAMPLE, panel })),
  ...OVERLAYS.map((overlay) => ({ name: overlay, overlay })),
  { name: 'lesson', address: './?lesson=by-hand' },
  { name: 'docs', address: 'docs.html#learn' },
  { name: 'embed', address: 'embed.html?lesson=by-hand&step=3' },
]
const WIDE = { width: 1440, height: 900 }
const SIZES = [WIDE, { width: 1024, height: 768 }, { width: 390, height: 844 }]

if (!(await ensureBuilt())) process.exit(1)
const executablePath = await ensureChromium()
if (!executablePath) process.exit(1)
const server = await serveDist()
const browser = await chromium.launch({ executablePath, args: CHROMIUM_FLAGS })
const page = await browser.newPage({ viewport: WIDE, deviceScaleFactor: 1 })
await page.emulateMedia({ reducedMotion: 'reduce' })

const [all, ...names] = process.argv.slice(2)
if (all === 'all')
  for (const screen of SCREENS.filter((s) => names.length === 0 || names.includes(s.name))) await shootAll(screen)
else {
  await open({ name: 'screenshot', address: EXAMPLE })
  await page.getByRole('button', { name: 'Show the matches' }).first().click()
  await page.getByTestId('match-item').first().click()
  await shoot(join(root, 'docs'), 'screenshot')
}
await browser.close()
server.close()

/** @param {Screen} screen */
async function shootAll(screen) {
  await page.setViewportSize(WIDE)
  await open(screen)
  for (const size of SIZES)
    for (const colorScheme of /** @type {const} */ (['light', 'dark'])) {
      await page.setViewportSize(size)
      await page.emulateMedia({ colorScheme })
      await shoot(join(root, '.cache', 'screenshots'), `${screen.name}-${size.width}-${colorScheme}`)
    }
}

/** @param {Screen} screen */
async function open({ address = './', panel, overlay, mode }) {
  await page.goto(new URL(address, server.url).href)
  if (address.includes('.html')) return page.getByRole('heading', { level: 1 }).waitFor()
  await page
    .getByTestId('status')
    .getByText(/\bmatch/)
    .waitFor({ timeout: 60_000 })
  await page.evaluate(
    async (state) => {
      const app = /** @type {any} */ (window).__fusescope
      await app.ready
      const { view } = app.getState()
      if (state.mode) view.setMode(state.mode)
      if (state.panel) view.setPanel(state.panel)
      view.setOverlay(state.overlay ?? null)
    },
    { panel, overlay, mode },
  )
}

/** @param {string} folder @param {string} name */
async function shoot(folder, name) {
  mkdirSync(folder, { recursive: true })
  // Waits for transitions and the layout worker to end.
  await page.waitForTimeout(700)
  await page.screenshot({ path: join(folder, `${name}.png`) })
  console.log(join(folder, `${name}.png`).slice(root.length))
}
