// @ts-check
/** `npm run screenshot`: writes docs/screenshot.png, the first screen with the default example. */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { chromium } from '@playwright/test'
import { CHROMIUM_FLAGS, ensureChromium } from './chromium.mjs'
import { ensureBuilt, root } from './lib.mjs'
import { serveDist } from './serve.mjs'

if (!(await ensureBuilt())) process.exit(1)
const executablePath = await ensureChromium()
if (!executablePath) process.exit(1)
mkdirSync(join(root, 'docs'), { recursive: true })
const server = await serveDist()
const browser = await chromium.launch({ executablePath, args: CHROMIUM_FLAGS })
const page = await browser.newPage({ viewport: { width: 1440, height: 900 }, deviceScaleFactor: 1 })
await page.goto(server.url)
await page.getByTestId('status').getByText('matches').first().waitFor({ timeout: 60_000 })
await page.getByTestId('match-item').first().click()
// Waits for transitions and the layout worker to end.
await page.waitForTimeout(1500)
await page.screenshot({ path: join(root, 'docs', 'screenshot.png') })
await browser.close()
server.close()
console.log('docs/screenshot.png')
