/**
 * Measures later visits in one browser profile: the times from the navigation to Python's start and to the first report
 * of the example of a first visit, with their ratio to those of the first visit and to a bare start of Pyodide. Needs a build (`npm run build`).
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium, type BrowserContext } from '@playwright/test'
import { findChromium } from '../scripts/chromium.mjs'
import { serveDist } from '../scripts/serve.mjs'
import { bareStart } from './bare_start'
import { median, ms } from './stats'

const ROUNDS = 7
/** The time after the first report in which the page keeps what later visits start from. */
const KEEP_MS = 9000

interface Hooks {
  __fusescope: { ready: Promise<void>; getState(): { run: { pythonReadyMs: number | null } } }
}

interface Visit {
  /** Milliseconds from the navigation. */
  python: number
  report: number
}

const server = await serveDist()
const profile = mkdtempSync(join(tmpdir(), 'fusescope-visits-'))
const open = (): Promise<BrowserContext> =>
  chromium.launchPersistentContext(profile, {
    executablePath: findChromium() ?? undefined,
    args: ['--no-sandbox'],
    viewport: { width: 1440, height: 900 },
  })

async function visit(context: BrowserContext, stay: number): Promise<Visit> {
  const page = await context.newPage()
  await page.goto(server.url, { waitUntil: 'commit' })
  await page.waitForFunction(() => '__fusescope' in window)
  const times = await page.evaluate(async () => {
    const { __fusescope: app } = window as unknown as Hooks
    const python = new Promise<number>((resolve) => {
      const timer = setInterval(() => {
        if (app.getState().run.pythonReadyMs === null) return
        clearInterval(timer)
        resolve(performance.now())
      }, 5)
    })
    await app.ready
    return { report: performance.now(), python: await python }
  })
  await page.waitForTimeout(stay)
  await page.close()
  return times
}

const figure = (visits: readonly Visit[], of: keyof Visit): string => {
  const time = median(visits.map((v) => v[of]))
  return `${ms(time)} (${(time / first[of]).toFixed(2)} × first, ${(time / bare).toFixed(2)} × bare)`
}

const figures = (name: string, visits: readonly Visit[]): string =>
  `${name.padEnd(34)} Python ${figure(visits, 'python')}  first report ${figure(visits, 'report')}`

const bare = median([bareStart(), bareStart(), bareStart()])
console.log(`bare start of Pyodide ${ms(bare)}, load ${loadavg()[0]!.toFixed(1)}`)
let context = await open()
const first = await visit(context, KEEP_MS)
const again: Visit[] = []
for (let i = 0; i < ROUNDS; i++) again.push(await visit(context, 500))
const restarted: Visit[] = []
for (let i = 0; i < ROUNDS; i++) {
  await context.close()
  context = await open()
  restarted.push(await visit(context, 500))
}
await context.close()
rmSync(profile, { recursive: true, force: true })
await server.close()
console.log(figures('first visit', [first]))
console.log(figures('later visits, same browser', again))
console.log(figures('later visits, browser started anew', restarted))
