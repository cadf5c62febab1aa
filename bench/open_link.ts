/**
 * Measures a link in a real browser: an edit of the flagship example after which no pattern fires is shared, and opened
 * in fresh profiles to which no file of Python is served. Prints the time from the navigation to the cause and its fix,
 * beside the time in which the unedited page shows its first result in the same run; and the longest task of the main
 * thread while the link is made. Needs a build (`npm run build`).
 */
import { chromium, type Page } from '@playwright/test'
import { findChromium } from '../scripts/chromium.mjs'
import { serveDist } from '../scripts/serve.mjs'
import { median, ms } from './stats'

const ROUNDS = 7
const BUDGET_MS = 1000
const STALL_MS = 100

interface Hooks {
  __fusescope: { ready: Promise<void>; editor: { select(text: string): void } }
  __tasks: number[]
}

const server = await serveDist()
const browser = await chromium.launch({ executablePath: findChromium() ?? undefined, args: ['--no-sandbox'] })

/** @returns the link, and the longest task of each time that it was made, in ms; tasks under 50 ms count as 0 */
async function shared(): Promise<{ link: string; stalls: number[] }> {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } })
  await page.goto(server.url)
  await page.evaluate(() => (window as unknown as Hooks).__fusescope.ready)
  await page.getByRole('tab', { name: /activation_quant_fusion/ }).click()
  await page.evaluate(() => (window as unknown as Hooks).__fusescope.editor.select('eps=1e-10'))
  await page.keyboard.insertText('eps=1e-6')
  await page.getByTestId('status').getByText('0 matches').first().waitFor()
  await page.getByTestId('panel-tab-whynot').click()
  const miss = page.getByTestId('near-miss').first()
  await miss.getByTestId('fix').first().waitFor()
  await miss.getByRole('button', { expanded: true }).click()
  await page.evaluate(() => {
    const w = window as unknown as Hooks
    w.__tasks = []
    new PerformanceObserver((list) => w.__tasks.push(...list.getEntries().map((e) => e.duration))).observe({
      type: 'longtask',
    })
  })
  const stalls: number[] = []
  let link = ''
  for (let i = 0; i < ROUNDS; i++) {
    await page.getByTestId('share-button').click()
    link = await page.getByTestId('share-link').inputValue()
    stalls.push(await page.evaluate(() => Math.max(0, ...(window as unknown as Hooks).__tasks.splice(0))))
    await page.keyboard.press('Escape')
    await page.getByTestId('share-link').waitFor({ state: 'detached' })
    await page.evaluate(() => (window as unknown as Hooks).__tasks.splice(0))
  }
  await page.close()
  return { link, stalls }
}

/** Time from the navigation until `shown` resolves, in a fresh profile without Python. */
async function opened(address: string, shown: (page: Page) => Promise<void>): Promise<number> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } })
  const page = await context.newPage()
  await page.route('**/pyodide/**', () => {})
  await page.goto(address)
  await shown(page)
  const time = await page.evaluate(() => performance.now())
  await context.close()
  return time
}

const { link, stalls } = await shared()
const verdicts: number[] = []
const firsts: number[] = []
for (let i = 0; i < ROUNDS; i++) {
  verdicts.push(
    await opened(link, (page) => page.getByTestId('near-miss').first().getByTestId('fix').first().waitFor()),
  )
  firsts.push(await opened(server.url, (page) => page.getByTestId('status').getByText('matches').first().waitFor()))
}
const [verdict, first] = [median(verdicts), median(firsts)]
console.log(
  `link to cause and fix: ${ms(verdict)} of ${BUDGET_MS} ms   first result of the page: ${ms(first)} (${(verdict / first).toFixed(1)} ×)   ${link.split('#')[1]!.length} characters`,
)
console.log(`longest task while sharing: ${ms(Math.max(...stalls))} of ${STALL_MS} ms   median ${ms(median(stalls))}`)
await browser.close()
await server.close()
