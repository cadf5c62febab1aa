/**
 * Measures first visits over slow lines (slow_line.ts): the requests and compressed bytes until the first verdict, by file,
 * the time to it, and on the faster line the bytes and the time to Python's start. Needs a build (`npm run build`).
 *
 *   npx tsx bench/network.ts [--dir=DIST]     another build, for figures before and after a change
 */
import { loadavg } from 'node:os'
import { chromium, type Browser } from '@playwright/test'
import { bytesOf, kB, linesOf, watchFirstScreen } from '../e2e/first_screen'
import { findChromium } from '../scripts/chromium.mjs'
import { serveDist } from '../scripts/serve.mjs'
import { slowLine } from './slow_line'
import { ms } from './stats'

interface Line {
  mbit: number
  latency: number
  /** Python's 10 MB take a minute over the slower line. */
  untilPython: boolean
}

const LINES: readonly Line[] = [
  { mbit: 9, latency: 60, untilPython: true },
  { mbit: 1.5, latency: 60, untilPython: false },
]

interface Hooks {
  __fusescope: { getState(): { run: { engine: { readyMs: number | null } } } }
}

async function visit(browser: Browser, url: string, { mbit, latency, untilPython }: Line): Promise<void> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } })
  const page = await context.newPage()
  page.setDefaultTimeout(600_000)
  const line = await slowLine(url, mbit, latency)
  const firstScreen = await watchFirstScreen(page)
  await page.goto(line.url, { waitUntil: 'commit' })
  const { verdict, before } = await firstScreen()
  console.log(
    `${mbit} Mbit/s, ${latency} ms, load ${loadavg()[0]!.toFixed(1)}: first verdict ${ms(verdict)}, ${before.length} requests, ${kB(bytesOf(before))}`,
  )
  console.log(linesOf(before))
  if (untilPython) {
    const started = (): number => {
      const app = (window as Partial<Hooks>).__fusescope
      return app?.getState().run.engine.readyMs == null ? 0 : performance.now()
    }
    const ready = await page.waitForFunction(started, undefined, { timeout: 600_000 })
    const { all } = await firstScreen()
    console.log(
      `  Python ready ${ms((await ready.jsonValue()) as number)}, ${all.length} requests, ${kB(bytesOf(all))}`,
    )
    console.log(linesOf(all.filter((sent) => !before.some((b) => b.path === sent.path))))
  }
  await context.close()
  line.close()
}

const dir = process.argv.find((a) => a.startsWith('--dir='))?.slice('--dir='.length)
const server = await serveDist(dir)
const browser = await chromium.launch({ executablePath: findChromium() ?? undefined, args: ['--no-sandbox'] })
for (const line of LINES) await visit(browser, server.url, line)
await browser.close()
await server.close()
