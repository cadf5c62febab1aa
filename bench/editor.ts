/**
 * Measures the editor's answers in a real browser on the flagship example: from `.` to the first row of completions after
 * `torch.ops.aten`, and from the key of the hover to its text. Needs a build (`npm run build`). Prints p50 and p95, and
 * their ratio to a frame of the idle page in the same run.
 */
import { chromium, type Page } from '@playwright/test'
import { findChromium } from '../scripts/chromium.mjs'
import { serveDist } from '../scripts/serve.mjs'
import { median, ms, quantile } from './stats'

const ROUNDS = 24
/** The first answers load the tables of operators. */
const WARM_UP = 4
const LAST_LINE = 'patterns = ActivationQuantFusionPass().patterns'

interface Hooks {
  __fusescope: {
    ready: Promise<void>
    editor: { text(): string; select(text: string): void }
  }
  __shown: Promise<number>
}

/** Milliseconds from the next key down to the first frame with the selector. */
async function answer(page: Page, key: string, selector: string): Promise<number> {
  await page.evaluate((wanted) => {
    ;(window as unknown as Hooks).__shown = new Promise((resolve) => {
      addEventListener(
        'keydown',
        () => {
          const from = performance.now()
          const look = (): void => {
            if (document.querySelector(wanted)) resolve(performance.now() - from)
            else requestAnimationFrame(look)
          }
          requestAnimationFrame(look)
        },
        { capture: true, once: true },
      )
    })
  }, selector)
  await page.keyboard.press(key)
  return page.evaluate(() => (window as unknown as Hooks).__shown)
}

const gone = (page: Page, selector: string): Promise<unknown> =>
  page.locator(selector).first().waitFor({ state: 'detached' })

const server = await serveDist()
const browser = await chromium.launch({ executablePath: findChromium() ?? undefined, args: ['--no-sandbox'] })
const page = await browser.newPage({ viewport: { width: 1440, height: 900 } })
// tsx names inner functions through a helper, which a page does not have.
await page.addInitScript('globalThis.__name = (f) => f')
await page.goto(`${server.url}?example=silu-mul-block-quant`)
await page.evaluate(() => (window as unknown as Hooks).__fusescope.ready)
await page.getByRole('tab', { name: /activation_quant_fusion/ }).click()
await page.evaluate((text) => (window as unknown as Hooks).__fusescope.editor.select(text), LAST_LINE)

// The first F2 of the page: the language service has not been loaded.
const textOf = (): Promise<string> => page.evaluate(() => (window as unknown as Hooks).__fusescope.editor.text())
const unchanged = await textOf()
await page.keyboard.press('ArrowLeft')
const renaming = await answer(page, 'F2', '.rename-box')
await page.keyboard.type('passes')
if ((await textOf()) !== unchanged) throw new Error('keys after F2 edited the code')
const typed = performance.now()
await page.keyboard.press('Enter')
while ((await textOf()) === unchanged) await page.waitForTimeout(20)
const renamed = performance.now() - typed
console.log(
  `first F2   field ${ms(renaming)}  renamed ${ms(renamed)} after Enter, which waits for the language service`,
)
await page.keyboard.press('Control+z')
while ((await textOf()) !== unchanged) await page.waitForTimeout(20)
await page.evaluate((text) => (window as unknown as Hooks).__fusescope.editor.select(text), LAST_LINE)
for (const key of ['End', 'Enter']) await page.keyboard.press(key)
await page.keyboard.type('torch.ops.aten')

// Monaco adds the class `visible` 100 ms after the rows are on screen; hiding removes them.
const ROW = '.suggest-widget .monaco-list-row'
const completions: number[] = []
for (let i = 0; i < ROUNDS; i++) {
  completions.push(await answer(page, '.', ROW))
  await page.keyboard.press('Escape')
  await gone(page, ROW)
  await page.keyboard.press('Backspace')
}

await page.keyboard.type('.mul.Tensor')
await page.keyboard.press('Escape')
for (let i = 0; i < '.Tensor'.length + 1; i++) await page.keyboard.press('ArrowLeft')
const TEXT = '.monaco-hover:not(.hidden) .hover-contents'
const hovers: number[] = []
for (let i = 0; i < ROUNDS; i++) {
  hovers.push(await answer(page, 'Shift+F1', TEXT))
  await page.keyboard.press('Escape')
  await page.locator(TEXT).first().waitFor({ state: 'hidden' })
}

const frames = await page.evaluate(async () => {
  const times: number[] = []
  for (let i = 0; i < 30; i++) times.push(await new Promise<number>((done) => requestAnimationFrame(done)))
  return times.slice(1).map((t, i) => t - times[i]!)
})
const frame = median(frames)
for (const [name, all] of [
  ['completion', completions],
  ['hover', hovers],
] as const) {
  const warm = all.slice(WARM_UP)
  const p95 = quantile(warm, 0.95)
  console.log(
    `${name.padEnd(10)} p50 ${ms(quantile(warm, 0.5))}  p95 ${ms(p95)}  ${(p95 / frame).toFixed(1)} frames  (${warm.length} answers)`,
  )
}
await browser.close()
await server.close()
